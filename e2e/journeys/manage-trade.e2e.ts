import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sampleBox } from '../support/box-page.ts'
import { assertAccessibleAcross, openManaged, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const server = await startForFile(startServer())

test('boxes of days and by number are exported with what they lack, and imported after a look', async () => {
  await using at = await visitAsManager(server, '/manage/box?q=034557944')
  at.expectProblem(/status of 400|ERR_FAILED/)
  const { page } = at
  const exported = async (button: string) => {
    const [saved] = await Promise.all([page.waitForEvent('download'), press(page, button)])
    await page.getByText(`Saved as ${saved.suggestedFilename()}.`).waitFor()
    return readFile(await saved.path(), 'utf8')
  }
  await openManaged(page, '/manage/trade')
  await page.getByRole('heading', { name: /^\d+ boxes, caught from / }).waitFor() // of the last week, without a choice
  await page.getByRole('link', { name: '90 days' }).click()
  await page.waitForURL(/from=/)
  await page.getByRole('link', { name: '90 days' }).and(page.locator('[aria-current]')).waitFor()
  await openManaged(page, '/manage/box?q=034557944')
  await page.getByRole('link', { name: 'EPCIS and FSMA 204' }).click()
  await page.getByText('Catch: registration of the vessel').waitFor()
  const boxes = page.getByRole('table', { name: 'Boxes to export' }).locator('tbody')
  const chosen = await boxes.count()
  assert.ok(chosen > 1)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-trade')
  const sheet = await exported('FSMA 204 sheet (CSV)')
  assert.equal(sheet.trim().split('\r\n').length, chosen + 1)

  await page.getByLabel('Or boxes by number').fill(`${sampleBox} BOX-9`)
  await press(page, 'Show')
  await page.getByText('There is no box BOX-9.').waitFor()
  await page.getByLabel('Or boxes by number').fill(sampleBox)
  await press(page, 'Show')
  await page.getByRole('heading', { name: '1 box', exact: true }).waitFor()
  const document = await exported('EPCIS 2.0 with GDST')
  await press(page, 'Show these days')
  await page.getByRole('heading', { name: /^\d+ boxes, caught from / }).waitFor()
  await page.route(/\/api\/box\/epcis/, (route) => route.abort())
  await press(page, 'EPCIS 2.0 with GDST')
  await page.getByText('No connection to the shop.').waitFor()
  await page.unroute(/\/api\/box\/epcis/)

  const choose = (text: string) =>
    page.getByLabel('An EPCIS 2.0 document').setInputFiles({
      name: 'box.jsonld',
      mimeType: 'application/ld+json',
      buffer: Buffer.from(text),
    })
  await choose('no JSON')
  await page.getByText('This file is not readable as JSON.').waitFor()
  const wrong = JSON.parse(document)
  wrong.schemaVersion = '1.2'
  await choose(JSON.stringify(wrong))
  await page.getByText('schemaVersion: must be 2.0').waitFor()
  await saveScreenshot(page, 'manage-trade-refused')
  await choose(document.replaceAll(sampleBox, 'IMPORTED-1'))
  await page.getByText('IMPORTED-1 will be created, with').waitFor()
  assert.equal((await fetch(`${server.url}/api/box/IMPORTED-1`)).status, 404, 'a look changes nothing')
  await saveScreenshot(page, 'manage-trade-look')
  await page.route('**/api/box/epcis', (route) => route.abort(), { times: 1 })
  await press(page, 'Import')
  await page.getByRole('status').getByText('No connection to the shop.', { exact: false }).waitFor()
  await press(page, 'Import')
  await page.getByText('IMPORTED-1 was created, with').waitFor()
  assert.equal((await fetch(`${server.url}/api/box/IMPORTED-1`)).status, 200)
  await choose(document.replaceAll(sampleBox, 'IMPORTED-1'))
  await page.getByText('already exists, with the same content').waitFor()
})
