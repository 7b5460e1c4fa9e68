import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { signInByApi } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { assertAccessibleAcross, desktop, openManaged, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const phone = { viewport: { width: 360, height: 740 } }
const rail = (page: Page) => page.getByRole('navigation', { name: 'Managing' })
const entry = (page: Page, name: string) => rail(page).getByRole('link', { name, exact: true })
const widthOf = async (page: Page): Promise<number> => (await rail(page).boundingBox())?.width ?? 0

test('the shop’s Manage menu leads to the desk, which has a frame of its own and leads back', async () => {
  await using at = await visitAsManager(server, '/')
  const { page } = at
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.getByText('Manage', { exact: true }).first().click()
  await bar.getByRole('link', { name: 'Manage Product' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Manage Product' }).waitFor()
  await eventually(() => entry(page, 'Products').getAttribute('aria-current'), 'page')
  for (const gone of ['Categories', 'Days'])
    assert.equal(await page.getByRole('navigation', { name: gone, exact: true }).count(), 0)
  assert.equal(await page.getByRole('contentinfo').count(), 0)
  assert.equal(await page.getByRole('link', { name: /^Cart/ }).count(), 0)
  await entry(page, 'Categories').click()
  await page.getByRole('heading', { level: 1, name: 'Manage Category' }).waitFor()
  await bar.getByRole('link', { name: 'View shop' }).click()
  await page.getByRole('contentinfo').waitFor()
})

test('a page of the desk that is not there has the shop’s frame, which leads on', async () => {
  await using at = await visitAsManager(server, '/manage/box/none')
  at.expectProblem(/404/)
  await at.page.getByRole('heading', { level: 1, name: '404: Page not found' }).waitFor()
  await at.page.getByRole('contentinfo').waitFor()
  await eventually(() => at.page.getByRole('main').count(), 1)
})

test('the rail folds to icons and stays so on this device', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  const wide = await widthOf(page)
  await press(page, 'Icons only')
  await eventually(async () => (await widthOf(page)) < wide / 2, true)
  await page.reload()
  await untilHydrated(page)
  await eventually(async () => (await widthOf(page)) < wide / 2, true)
  await assertAccessibleAcross(page)
  await entry(page, 'Slots').click()
  await page.getByRole('heading', { level: 1, name: 'Manage Slot' }).waitFor()
  assert.ok((await widthOf(page)) < wide / 2)
  await press(page, 'Icons only')
  await eventually(() => widthOf(page), wide)
})

test('by keyboard one skips the rail, and goes along it', async () => {
  await using at = await visitAsManager(server, '/manage/offer')
  const { page } = at
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await eventually(() => page.evaluate(() => document.activeElement?.id), 'content')
  await entry(page, 'Offers').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Manage Box' }).waitFor()
})

test('on a phone the rail is a sheet: a thumb opens it, Escape, a press beside it or a link close it', async () => {
  await using at = await visitAsManager(server, '/manage/order', phone)
  const { page } = at
  const button = page.getByRole('button', { name: 'Screens' })
  const size = await button.boundingBox()
  assert.ok(size && size.width >= 44 && size.height >= 44, JSON.stringify(size))
  await eventually(() => rail(page).isVisible(), false)
  await button.click()
  await eventually(() => entry(page, 'Orders').evaluate((link) => link === document.activeElement), true)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'desk-sheet')
  await page.keyboard.press('Escape')
  await eventually(() => rail(page).isVisible(), false)
  await eventually(() => button.evaluate((one) => one === document.activeElement), true)
  await button.click()
  await page.mouse.click(350, 500)
  await eventually(() => rail(page).isVisible(), false)
  await button.click()
  await entry(page, 'Complaints').click()
  await page.waitForURL(/status=complaint$/)
  await eventually(() => rail(page).isVisible(), false)
  await button.click()
  await entry(page, 'Slots').click()
  await page.getByRole('heading', { level: 1, name: 'Manage Slot' }).waitFor()
  await eventually(() => rail(page).isVisible(), false)
})

test('without script the sheet opens and leads on; on paper there is no rail', async () => {
  const prepare = (context: Parameters<typeof signInByApi>[0]) => signInByApi(context, server.url, admin)
  await using at = await visit(`${server.url}/manage`, { ...phone, javaScriptEnabled: false, prepare })
  at.expectProblem(/ csp$/)
  const { page } = at
  await page.getByRole('button', { name: 'Screens' }).click()
  await entry(page, 'Users').click()
  await page.getByRole('heading', { level: 1, name: 'Manage User' }).waitFor()
  await page.setViewportSize(desktop.viewport)
  await eventually(() => rail(page).isVisible(), true)
  await page.emulateMedia({ media: 'print' })
  await eventually(() => rail(page).isVisible(), false)
})

test('what waits is counted beside its screen, and anew when one comes back to the tab', async () => {
  await using at = await visitAsManager(server, '/manage/excursion')
  const { page } = at
  const excursions = rail(page).getByRole('link', { name: /^Excursions/ })
  await eventually(() => excursions.textContent(), 'Excursions1 waiting')
  const listed = await (await page.request.get(`${server.url}/api/excursion?state=ended`)).json()
  const closed = await page.request.post(`${server.url}/api/excursion/${listed.rows[0]?.id}/closing`, {
    headers: { origin: server.url },
    data: { text: 'Looked at.' },
  })
  assert.ok(closed.ok(), await closed.text())
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await eventually(() => excursions.textContent(), 'Excursions')
})

test('every screen fits beside the rail, from phone to wide desktop', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  const paths = await rail(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  assert.ok(paths.length > 15)
  const misfits: string[] = []
  for (const path of paths.filter((one) => one.startsWith('/manage'))) {
    await openManaged(page, path)
    for (const width of [360, 768, 992, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (over > 0) misfits.push(`${path} at ${width}: ${over} px too wide`)
    }
  }
  assert.deepEqual(misfits, [])
})
