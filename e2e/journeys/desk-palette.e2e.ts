import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilHydrated } from '../support/browser.ts'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search the desk' })
const field = (page: Page) => palette(page).getByRole('combobox')
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })

/** The option that Enter would open. */
const chosen = (page: Page) => palette(page).locator('[role=option][aria-selected=true]')

async function open(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await eventually(() => field(page).evaluate((input) => input === document.activeElement), true)
}

test('by keyboard one finds a product, a box, a person and a screen, and opens each', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  await open(page)
  await field(page).fill('alba')
  await option(page, /^Albacore/).waitFor()
  await eventually(() => chosen(page).textContent(), 'Albacoreshelf 2.4')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/manage\/product\?q=Albacore$/)
  await palette(page).waitFor({ state: 'hidden' })

  await open(page)
  await field(page).fill('0345579444')
  await option(page, /^0345579444/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Box 0345579444' }).waitFor()

  await page.keyboard.press('/')
  await field(page).fill('manager@shop')
  await option(page, /^Admin Admin/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/manage\/user\?q=manager%40shop\.example$/)

  await open(page)
  await field(page).fill('slot')
  await eventually(
    () =>
      chosen(page)
        .textContent()
        .then((text) => text?.startsWith('Slots')),
    true,
  )
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  const id = await chosen(page).getAttribute('id')
  assert.equal(await field(page).getAttribute('aria-activedescendant'), id)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Manage Slot' }).waitFor()
})

test('what was opened comes first the next time, and is forgotten with who logs out', async () => {
  await using at = await visitAsManager(server, '/manage/key')
  const { page } = at
  await press(page, 'Search')
  await field(page).fill('pipis')
  await option(page, /^Pipis/).click()
  await page.waitForURL(/q=Pipis/)
  await page.reload()
  await untilHydrated(page)
  await open(page)
  const before = palette(page).getByRole('group', { name: 'Opened before' })
  await before.getByRole('option', { name: 'Pipis' }).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'desk-palette')
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'hidden' })
  await page.getByRole('navigation', { name: 'Main' }).getByText('Admin').click()
  await press(page, 'Logout')
  await page.waitForURL(`${server.url}/`)
  assert.deepEqual(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => /desk-finds/.test(key))),
    [],
  )
})

test('the palette says when nothing is found, when the shop can’t be reached, and when one is offline', async () => {
  await using at = await visitAsManager(server, '/manage/mail')
  at.expectProblem(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  const { page } = at
  await open(page)
  await field(page).fill('no such thing')
  await palette(page).getByText('Nothing found for “no such thing”.').waitFor()
  await assertAccessibleAcross(page)
  await page.route('**/api/manage/desk/found?*', (route) => route.abort())
  await field(page).fill('snapper')
  await palette(page).getByRole('alert').getByText('Error: No connection to the shop.').waitFor()
  await assertAccessibleAcross(page)
  await page.unroute('**/api/manage/desk/found?*')
  await palette(page).getByRole('button', { name: 'Try again' }).click()
  await option(page, /^Snapper, whole/).waitFor()
  await page.context().setOffline(true)
  await palette(page).getByText('You are offline').waitFor()
  await page.context().setOffline(false)
})

test('letters typed in a field open nothing, and a phone has a button that leaves room for the thumb', async () => {
  await using at = await visitAsManager(server, '/manage/product', { viewport: { width: 360, height: 740 } })
  const { page } = at
  await page.getByLabel('Search products').focus()
  await page.keyboard.type('a/b')
  await eventually(() => palette(page).isVisible(), false)
  const button = page.getByRole('button', { name: 'Search the desk' })
  const size = await button.boundingBox()
  assert.ok(size && size.width >= 44 && size.height >= 44, JSON.stringify(size))
  await button.click()
  await field(page).fill('squid')
  await option(page, /^Arrow squid/).waitFor()
  await saveScreenshot(page, 'desk-palette-phone')
  await palette(page).getByRole('button', { name: 'Close' }).click()
  await palette(page).waitFor({ state: 'hidden' })
  await eventually(() => button.evaluate((one) => one === document.activeElement), true)
})
