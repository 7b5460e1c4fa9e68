import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  boxPath,
  sampleBox,
  UNCHANGED,
  unchanged,
  verdictOnOpening,
  waitUntilAnchored,
} from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

/** The one with the most readings, and the one with the longest silence. */
const LARGEST = '0345579449'
const SILENT = '0345579447'
/** Width of A4 between its margins of 12 mm, at 96 px an inch. */
const PAPER = 703
const server = await startForFile(startServer())

for (const boxID of [sampleBox, LARGEST, SILENT])
  test(`box ${boxID} is printed on one page of A4, with its code and the state of its records`, async () => {
    await using at = await visit(server.url, desktop)
    const { page } = at
    await waitUntilAnchored(page, boxID)
    assert.match(await verdictOnOpening(page, boxID), unchanged)
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: PAPER, height: 1032 })
    const code = page.getByRole('img', { name: `Code of box ${boxID}` })
    await code.scrollIntoViewIfNeeded()
    await page.waitForFunction((name) => {
      const image = document.querySelector<HTMLImageElement>(`img[alt="${name}"]`)
      return image !== null && image.naturalWidth > 0
    }, `Code of box ${boxID}`)
    for (const text of [
      `${UNCHANGED}.`,
      'Catch provenance',
      'Cold chain',
      'highest',
      /^As of \w{3} \d+ \w{3}, \d+:\d\d [ap]m/,
    ])
      await eventually(() => page.getByRole('main').getByText(text).first().isVisible(), true, String(text))
    for (const name of ['Readings', 'Records', 'Check it yourself', 'Map of the journey'])
      await eventually(() => page.getByRole('region', { name, exact: true }).count(), 0, name)
    await saveScreenshot(page, `box-paper-${boxID}`)
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1)
  })

test('a box is shared through the device, else its link is copied', async () => {
  await using at = await visit(server.url, desktop)
  const { page, context } = at
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await page.goto(`${boxPath(sampleBox)}?utm_source=label`)
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('Link copied.').waitFor()
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), server.url + boxPath(sampleBox))

  await page.addInitScript(() => {
    Reflect.set(Navigator.prototype, 'share', async (what: unknown) => Reflect.set(window, 'shared', what))
  })
  await page.goto(boxPath(sampleBox))
  await untilHydrated(page)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.waitForFunction(() => 'shared' in window)
  await eventually(() => page.evaluate(() => Reflect.get(window, 'shared')), {
    title: `Fish box ${sampleBox}`,
    url: server.url + boxPath(sampleBox),
  })
})
