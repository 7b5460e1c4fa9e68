import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

test('today says what is to be done, and marks down what is near its best-by by one press, undone by another', async () => {
  const title = 'Blue mackerel, box from Bermagui'
  const row = async (): Promise<{ _id: string; discount: number }> =>
    (await (await server.call(`/api/product?${new URLSearchParams({ q: title })}`)).json()).rows[0]
  const stocked = await server.call('/api/product/bulk', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids: [(await row())._id], set: { stock: 6 } }),
  })
  assert.ok(stocked.ok, await stocked.text())
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor()
  for (const name of ['To pack', 'Near its best-by', 'Needs attention', 'Runs out', 'Boxes that arrive'])
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
  await page.getByText('Nothing to pack: no order waits.').waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'desk-today')

  const down = page.getByRole('button', { name: `Mark ${title} down by 25 %` })
  const { discount: before } = await row()
  await press(page, `Mark ${title} down by 25 %`)
  await page.getByText(`${title} is marked down by 25 %.`).waitFor()
  await eventually(() => down.getAttribute('aria-pressed'), 'true')
  assert.equal((await row()).discount, 25)
  await press(page, `Mark ${title} down by 50 %`)
  await page.getByText(`${title} is marked down by 50 %.`).waitFor()
  await press(page, `Undo the markdown of ${title}`)
  await page.getByText(`${title} has its former price again.`).waitFor()
  assert.equal((await row()).discount, 25, 'as it was before the last press')
  assert.notEqual(before, 25)
})

test('where the day can’t be read again, what is shown stays', async () => {
  await using at = await visitAsManager(server, '/manage')
  at.expectProblem(/ERR_FAILED/)
  const { page } = at
  await page.route('**/api/manage/desk/today', (route) => route.abort())
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByText('What is shown may be out of date.').waitFor()
  await page.getByRole('heading', { name: 'To pack' }).waitFor()
  await page.unroute('**/api/manage/desk/today')
  await press(page, 'Try again')
  await eventually(() => page.getByText('What is shown may be out of date.').count(), 0)
})

test('the line of the ledger leads to its health and that of every part, what is wrong first', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  await page.getByRole('main').getByRole('link', { name: 'Ledger' }).click()
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor()
  const ledger = page.getByRole('region', { name: 'Ledger' })
  await ledger.getByText('online').waitFor()
  const parts = page.getByRole('table', { name: 'Parts' })
  await parts
    .getByRole('row', { name: /^Database/ })
    .getByText('ok', { exact: true })
    .waitFor()
  assert.ok((await parts.getByRole('rowheader').count()) > 10)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-health')
  await page.route('**/api/manage/health', async (route) => {
    const answer = await route.fetch()
    const { parts: all } = await answer.json()
    const late = { name: 'queue', state: 'a due job has waited for 301 s' }
    const rest = all.filter(({ name }: { name: string }) => name !== 'queue')
    await route.fulfill({ json: { ok: true, parts: [...rest, late] } })
  })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('heading', { level: 2, name: /parts? needs? somebody$/ }).waitFor()
  await parts.getByText('a due job has waited for 301 s').waitFor()
})
