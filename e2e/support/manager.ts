import type { BrowserContext, Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll } from './accessible.ts'
import { signInByApi } from './account.ts'
import { untilHydrated, type Visit, visit } from './browser.ts'
import type { VisitOptions } from './conditions.ts'
import { admin, type Server } from './server.ts'

/** Width at which managers' lists have columns. */
export const desktop = { viewport: { width: 1280, height: 900 } }

/** A browser with a logged-in manager on one of the managers' screens, hydrated. */
export async function visitAsManager(
  server: Server,
  path: string,
  options: VisitOptions & typeof desktop = desktop,
): Promise<Visit> {
  const prepare = (context: BrowserContext) => signInByApi(context, server.url, admin)
  await using opened = new AsyncDisposableStack() // one that never answers is closed, with its picture taken
  const at = opened.use(await visit(`${server.url}${path}`, { ...options, prepare }))
  await untilHydrated(at.page)
  opened.move()
  return at
}

/** Opens one of the managers' screens and waits until it is hydrated. */
export async function openManaged(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilHydrated(page)
}

/** The rows of a list, in order, without the heading row. */
export const rowsOf = (page: Page, list: string) =>
  page.getByRole('table', { name: list, exact: true }).locator(':scope > tbody')

/** The row of a list with this text; none while it is being edited. */
export const rowOf = (page: Page, list: string, name: string) =>
  page
    .getByRole('table', { name: list, exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Edit ${name}`, exact: true }) })

/** Deletes a row and confirms. */
export async function deleteRow(page: Page, name: string): Promise<void> {
  await press(page, `Delete ${name}`)
  await press(page, 'Delete for good')
}

/** Clicks the button with exactly this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

/** The text of the red banner. */
export const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Error: ' })

/**
 * Checks accessibility and width on the narrowest phone and a tablet in dark mode, and on a desktop in light mode: not
 * all combinations, since lists are long.
 */
export async function assertAccessibleAcross(page: Page): Promise<void> {
  const before = page.viewportSize()
  for (const [width, colorScheme] of [
    [320, 'dark'],
    [768, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
  }
  if (before) await page.setViewportSize(before)
}
