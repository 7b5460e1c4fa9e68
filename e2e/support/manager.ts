import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll } from './accessible.ts'
import { assertLoggedIn, logIn } from './account.ts'
import { untilHydrated, type Visit, visit } from './browser.ts'
import { admin, type Server } from './server.ts'

/** Width at which lists of managers have columns. */
export const desk = { viewport: { width: 1280, height: 900 } }

/** A manager at a browser, logged in, on one of the managers' screens, whose script runs. */
export async function visitAsManager(server: Server, path: string, options = desk): Promise<Visit> {
  const at = await visit(`${server.url}/user/signin`, options)
  await logIn(at.page, admin)
  await at.page.waitForURL((url) => url.pathname === '/')
  if (options.viewport.width >= desk.viewport.width) await assertLoggedIn(at.page, 'Admin')
  await openManaged(at.page, path)
  return at
}

/** Opens one of the managers' screens and waits until its script runs. */
export async function openManaged(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilHydrated(page)
}

/** The rows of a list, in their order; that of its headings is none of them. */
export const rowsOf = (page: Page, list: string) =>
  page.getByRole('table', { name: list, exact: true }).locator(':scope > tbody')

/** The row of a list that names this; none while it is being edited. */
export const rowOf = (page: Page, list: string, name: string) =>
  page
    .getByRole('table', { name: list, exact: true })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Edit ${name}`, exact: true }) })

/** Deletes a row, as one is asked to confirm. */
export async function deleteRow(page: Page, name: string): Promise<void> {
  await press(page, `Delete ${name}`)
  await press(page, 'Delete for good')
}

/** Presses the button of exactly this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

/** The red banner's words. */
export const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Error: ' })

/**
 * Accessible and within its width on the narrowest phone and a tablet in the dark, and on a desk in the light: lists
 * are long.
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
