import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { registerBox } from '../support/boxes.ts'
import { untilHydrated } from '../support/browser.ts'
import { assertAccessibleAcross, desktop, rowsOf, visitAsManager } from '../support/manager.ts'
import { callJson } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const boxes = ['BESIDE-1', 'BESIDE-2']
const wide = { viewport: { width: 1680, height: 900 } }
const MINUTE_MS = 60_000

const server = await startForFile(startServer({ env: { SAMPLE_DATA: 'off' } }))
before(async () => {
  for (const box of [...boxes, 'APART-1']) await registerBox(server, box)
  const readings = boxes.flatMap((box) =>
    [2, 6, 7, 9, 8, 7].map((temperature, i) => ({
      box,
      iotID: `L-${box}`,
      time: new Date(Date.now() - (80 - i * 15) * MINUTE_MS).toISOString(),
      latitude: -33.5,
      longitude: 150.5,
      temperature,
    })),
  )
  await callJson(server, 'POST', '/api/tracking', { readings })
})

/** What the list beside names by ids, in its order. */
async function besideOf(page: Page, name: string) {
  const list = page.getByRole('navigation', { name })
  const links = list.getByRole('link')
  await links.first().waitFor()
  const ids = await links.evaluateAll((all) => all.map((link) => link.getAttribute('data-beside') ?? ''))
  const shown = () => list.locator('[aria-current=page]').getAttribute('data-beside')
  return { list, links, ids, shown }
}

test('on a wide screen the boxes that were found stay beside one, and the arrows go through them', async () => {
  await using at = await visitAsManager(server, '/manage/box?q=beside', wide)
  const { page } = at
  await rowsOf(page, 'Boxes').first().getByRole('link').first().click()
  const heading = (id: string | undefined) => page.getByRole('heading', { level: 1, name: `Box ${id}` })
  const { list, links, ids, shown } = await besideOf(page, 'Boxes beside this one')
  assert.deepEqual(ids.toSorted(), boxes, 'as it was narrowed')
  await heading(ids[0]).waitFor()
  await untilHydrated(page)
  await links.first().focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await heading(ids[1]).waitFor()
  await eventually(shown, ids[1] ?? '')
  await eventually(() => links.nth(1).evaluate((link) => link.matches(':focus')), true)
  const { pathname, search } = new URL(page.url())
  assert.deepEqual([pathname, search], [`/manage/box/${ids[1]}`, '?q=beside'])
  await page.reload()
  await untilHydrated(page)
  await eventually(shown, ids[1] ?? '', 'the address brings the list back, too')
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-box-beside')

  await page.getByRole('form', { name: 'Add the catch' }).getByLabel('Species').fill('Snapper')
  await links.first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await heading(ids[1]).waitFor()
  await links.first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await heading(ids[0]).waitFor()
  await page.goBack()
  await heading(ids[1]).waitFor()

  await page.setViewportSize(desktop.viewport)
  await list.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'All boxes' }).click()
  await eventually(() => rowsOf(page, 'Boxes').count(), boxes.length)
  assert.equal(new URL(page.url()).search, '?q=beside')
})

test('excursions of one state stay beside one that is worked through, which leaves them by an arrow', async () => {
  await using at = await visitAsManager(server, '/manage/excursion?state=open', wide)
  const { page } = at
  const found = async () => {
    await page.reload()
    return await rowsOf(page, 'Excursions').count()
  }
  await eventually(found, boxes.length, 'the shop looks by itself', 60)
  await rowsOf(page, 'Excursions').first().getByRole('link').first().click()
  const { list, links, ids, shown } = await besideOf(page, 'Excursions beside this one')
  assert.equal(ids.length, boxes.length)
  await eventually(shown, ids[0] ?? '')
  await untilHydrated(page)
  await page.getByLabel('Note, or reason for closing').fill('Called the driver')
  await links.first().focus()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await eventually(shown, ids[1] ?? '')
  await eventually(() => links.nth(1).evaluate((link) => link.matches(':focus')), true)
  const { pathname, search } = new URL(page.url())
  assert.deepEqual([pathname, search], [`/manage/excursion/${ids[1]}`, '?state=open'])
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-excursion-beside')
  assert.equal(await page.getByLabel('Note, or reason for closing').inputValue(), '')

  await page.setViewportSize(desktop.viewport)
  await list.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Back to the list' }).click()
  await eventually(() => rowsOf(page, 'Excursions').count(), boxes.length)
  assert.equal(new URL(page.url()).search, '?state=open')
})

test('beside a row that is far down in its list, the list is scrolled to it and the page begins at its heading', async () => {
  const far = Array.from({ length: 18 }, (_, i) => `FAR-${String(i).padStart(2, '0')}`)
  for (const box of far) await registerBox(server, box)
  await using at = await visitAsManager(server, '/manage/box?q=far-', wide)
  const { page } = at
  await rowsOf(page, 'Boxes').last().getByRole('link').first().click()
  const { ids, shown, links } = await besideOf(page, 'Boxes beside this one')
  await eventually(shown, ids.at(-1) ?? '')
  await page.reload()
  await untilHydrated(page)
  await eventually(() => links.last().evaluate((link) => (link.closest('nav')?.scrollTop ?? 0) > 0), true)
  assert.equal(await page.evaluate(() => window.scrollY), 0)
})
