import { join } from 'node:path'
import type { Page } from 'playwright-core'

const folder = join(import.meta.dirname, '../shots')

/** Painting a whole page takes a second or two, which nobody waits for who does not look at it. */
const wanted = process.env.SCREENSHOTS !== undefined

/** With `SCREENSHOTS=1` saves a screenshot of the whole page as `e2e/shots/NAME.png`, for people to look at. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (wanted) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
