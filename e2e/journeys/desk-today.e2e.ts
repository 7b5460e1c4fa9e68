import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerBox } from '../support/boxes.ts'
import { assertAccessibleAcross, openManaged, press, visitAsManager } from '../support/manager.ts'
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
  const { version } = await (await fetch(`${server.url}/healthz`)).json()
  await page.getByText(`This process runs version ${version}`).waitFor()
  await saveScreenshot(page, 'manage-health')
  await page.route('**/api/manage/health', async (route) => {
    const answer = await route.fetch()
    const { parts: all, ...health } = await answer.json()
    const late = { name: 'queue', state: 'a due job has waited for 301 s' }
    const rest = all.filter(({ name }: { name: string }) => name !== 'queue')
    await route.fulfill({ json: { ...health, parts: [...rest, late] } })
  })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('heading', { level: 2, name: /parts? needs? somebody$/ }).waitFor()
  await parts.getByText('a due job has waited for 301 s').waitFor()
})

test('a warm box is taken off sale with a thumb, said before what that stops, and put back by one press', async () => {
  const BOX = 'WARM-1'
  await registerBox(server, BOX)
  const post = async (path: string, body: object, method = 'POST'): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await server.call(path, { method, headers, body: JSON.stringify(body) })
    assert.ok(answer.ok, await answer.text())
  }
  const readings = [2, 6, 7, 9, 8, 7].map((temperature, i) => ({
    ...{ box: BOX, iotID: 'L-1', latitude: -33.5, longitude: 150.5, temperature },
    time: new Date(Date.now() - (80 - i * 15) * 60_000).toISOString(),
  }))
  await post('/api/tracking', { readings })
  const { rows } = await (await server.call('/api/product?q=snapper&status=ACTIVE')).json()
  const [{ _id, title }] = rows
  await post(`/api/product/${_id}/boxes`, [{ boxID: BOX, quantity: 5 }], 'PUT')
  const canBuy = async (): Promise<boolean> => {
    const all: { _id: string; stock: number }[] = await (await server.call('/api/product/active')).json()
    return (all.find((one) => one._id === _id)?.stock ?? 0) > 0
  }
  await eventually(canBuy, true)
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }
  await using at = await visitAsManager(server, '/manage', phone)
  const { page } = at
  const doubt = page.getByRole('region', { name: 'Boxes in doubt' })
  const row = doubt.getByRole('listitem').filter({ hasText: BOX })
  for (let tries = 0; tries < 60 && (await row.count()) === 0; tries++) {
    await page.waitForTimeout(1_000)
    await openManaged(page, '/manage')
  }
  await row.getByText(`Taking it off sale stops ${title}`).waitFor()
  await saveScreenshot(page, 'desk-in-doubt')
  const button = row.getByRole('button', { name: `Take off sale: box ${BOX}` })
  const { height = 0 } = (await button.boundingBox()) ?? {}
  assert.ok(height >= 44, `${height} px are a thumb`)
  await button.dblclick()
  await row.getByText(`Box ${BOX} is off sale: nothing of it is sold, packed or handed out.`).waitFor()
  await row.getByRole('button', { name: `Off sale: box ${BOX}` }).waitFor()
  assert.equal(await canBuy(), false)
  await assertAccessibleAcross(page)
  await press(page, `Undo: put box ${BOX} back on sale`)
  await row.getByText(`Box ${BOX} is on sale again.`).waitFor()
  assert.equal(await canBuy(), true)

  const elsewhere = await server.call(`/api/box/${BOX}/sale`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ offSale: true, reason: 'Smells' }),
  })
  assert.ok(elsewhere.ok)
  await button.click()
  await row.getByText(`had taken box ${BOX} off sale already.`).waitFor()
  await row.getByText('nothing of it is sold.').waitFor()
  assert.equal(await row.getByRole('button', { name: `Undo: put box ${BOX} back on sale` }).count(), 0)
})
