import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = join(import.meta.dirname, '../shots')

/** Saves a screenshot of the whole page as `e2e/shots/NAME.png`, for people to look at. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
