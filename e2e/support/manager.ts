import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll } from './accessible.ts'
import { assertLoggedIn, logIn } from './account.ts'
import { type Visit, visit } from './browser.ts'
import { admin, type Server } from './server.ts'

/** Width at which lists of managers have columns. */
export const desk = { viewport: { width: 1280, height: 900 } }

/** A manager at a browser, logged in, on one of the managers' screens, whose script runs. */
export async function visitAsManager(server: Server, path: string, options = desk): Promise<Visit> {
  const at = await visit(`${server.url}/user/signin`, options)
  await logIn(at.page, admin)
  await at.page.waitForURL((url) => url.pathname === '/')
  if (options.viewport.width >= desk.viewport.width) await assertLoggedIn(at.page, 'Admin')
  await at.page.goto(path)
  if (path !== '/manage') await at.page.getByRole('button', { name: 'Keyboard' }).click({ trial: true })
  return at
}

/** The row of a list that names this. */
export const rowOf = (page: Page, list: string, name: string) =>
  page
    .getByRole('list', { name: list, exact: true })
    .locator(':scope > li')
    .filter({ has: page.getByRole('button', { name: `Edit ${name}`, exact: true }) })

/** The red banner's words. */
export const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Error: ' })

/** Accessible and within its width on the narrowest phone in the dark and on a desk in the light: lists are long. */
export async function assertAccessibleAtBothEnds(page: Page): Promise<void> {
  const before = page.viewportSize()
  for (const [width, colorScheme] of [
    [320, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await assertAccessible(page)
    await assertNoSidewaysScroll(page)
  }
  if (before) await page.setViewportSize(before)
}

type Upload = { name: string; mimeType: string; buffer: Buffer }

/** A real picture: one that the shop shows, under another name. */
export async function pictureFile(server: Server, title: string, name: string): Promise<Upload> {
  const products: { title: string; imagePaths: string[] }[] = await (
    await fetch(`${server.url}/api/product/active`)
  ).json()
  const path = products.find((product) => product.title === title)?.imagePaths[0] ?? ''
  const answer = await fetch(`${server.url}/api/file/${path}`)
  if (!answer.ok) throw new Error(`the shop has no picture of ${title}`)
  return { name, mimeType: 'image/webp', buffer: Buffer.from(await answer.arrayBuffer()) }
}

/** A program that calls itself a picture. */
export const programNamed = (name: string): Upload => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500, 7)]),
})
