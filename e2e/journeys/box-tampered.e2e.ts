import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../support/accessible.ts'
import {
  openCheckSection,
  sampleBox,
  unchanged,
  verdictOnOpening,
  waitUntilAnchored,
} from '../support/box-page.ts'
import { visit } from '../support/browser.ts'
import { startServerOnPostgres, withoutPostgres } from '../support/postgres.ts'
import { saveScreenshot } from '../support/screens.ts'

type Body = { body: string }

test('the visitor’s browser detects a changed or hidden record', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await startServerOnPostgres()
  await using at = await visit(shop.url)
  const { page } = at
  await waitUntilAnchored(page, sampleBox)
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)

  const where = 'box_id = $1 and seq = $2'
  const [kept] = await shop.query<Body>(`select body from records where ${where}`, [sampleBox, 4])
  assert.ok(kept)
  const forged = kept.body.replace(/("temperature":-?\d*\.?)(\d)/, (_, before: string, digit: string) => {
    return before + String((Number(digit) + 1) % 10)
  })
  assert.notEqual(forged, kept.body)
  const write = (body: string) =>
    shop.query(`update records set body = $3 where ${where}`, [sampleBox, 4, body])

  await write(forged)
  assert.match(
    await verdictOnOpening(page, sampleBox),
    /^Altered\. Record 4 was changed after it was anchored/,
  )
  const row = page.locator('#record-4')
  await row.getByText('broken', { exact: true }).waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'box-broken')

  await write(kept.body)
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)

  const hide =
    'delete from records where box_id = $1 and seq = (select max(seq) from records where box_id = $1)'
  await shop.query(hide, [sampleBox])
  assert.match(await verdictOnOpening(page, sampleBox), /^(Records may be missing|Altered)\./)
  await (await openCheckSection(page))
    .getByText('The ledger knows more records of this box than were shown.')
    .waitFor()
  await saveScreenshot(page, 'box-incomplete')
})
