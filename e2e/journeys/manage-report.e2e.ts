import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoSidewaysScroll } from '../support/accessible.ts'
import { untilHydrated } from '../support/browser.ts'
import { assertAccessibleAcross, visitAsManager } from '../support/manager.ts'
import { callJson } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

/** Places an order of what is on sale for the next pick-up. */
async function order(): Promise<{ _id: string; product: string; title: string; day: string }> {
  const products = await (await server.call('/api/product/active')).json()
  const product = products.find(
    ({ stock, unit }: { stock: number; unit: string }) => stock > 5 && unit === 'kg',
  )
  const [slot] = await (await server.call('/api/slot?kind=pickup')).json()
  const placed = await server.call('/api/order', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'reported' },
    body: JSON.stringify({
      lines: [{ product_id: product._id, quantity: 2 }],
      contact: { fname: 'Ann', lname: 'Lee', email: 'ann@example.org', phone: '0400 000 000' },
      fulfilment: { kind: 'pickup', slot: slot._id },
    }),
  })
  assert.equal(placed.status, 201)
  const { _id } = await placed.json()
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone: slot.timeZone }).format(new Date(slot.startsAt))
  return { _id, product: product._id, title: product.title, day: parts }
}

test('an order is in the reports of its day, as a chart that keys move in, a table and a file', async () => {
  const { _id, product, title, day } = await order()
  await using at = await visitAsManager(server, `/manage/report?from=${day}&to=${day}`)
  const { page } = at
  const sales = page.getByRole('table', { name: 'Sales, each with the range before' })
  await eventually(async () => {
    await page.reload()
    return sales.getByRole('row').filter({ hasText: 'All' }).count()
  }, 1)
  await page.goto(`/manage/report?from=${day}&to=${day}&show=weight`)
  const slider = page.getByRole('slider', { name: 'Weight, day' })
  await slider.focus()
  await page.keyboard.press('End')
  await eventually(async () => (await slider.getAttribute('aria-valuetext'))?.includes('2.0 kg'), true)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-report')

  await page.getByRole('link', { name: 'By product' }).click()
  await sales.getByRole('rowheader', { name: title }).waitFor()
  const rows = page.getByRole('slider', { name: 'Weight, row' })
  await rows.focus()
  await page.keyboard.press('Home')
  await eventually(
    async () => (await rows.getAttribute('aria-valuetext'))?.startsWith(`${title}: 2.0 kg`),
    true,
  )
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  assert.match((await download).suggestedFilename(), /^sales-by-product/)
  await page.getByRole('link', { name: 'By category' }).click()
  const category = sales.getByRole('row').nth(1).getByRole('link')
  const its = await category.textContent()
  await category.click()
  await page.getByText(`Only ${its}.`).waitFor()
  await sales.getByRole('rowheader', { name: `All of ${its}` }).waitFor()
  await page.getByRole('link', { name: 'All products' }).click()
  await sales.getByRole('rowheader', { name: 'All', exact: true }).waitFor()
  await page.getByRole('link', { name: 'By customer' }).click()
  await sales.getByRole('rowheader', { name: 'Guests' }).waitFor()
  await page.goto('/manage/report')
  const shown = await page.getByLabel('To', { exact: true }).inputValue()
  assert.match(shown, /^\d{4}-\d\d-\d\d$/, 'the range that is shown stands in the fields')
  await page.getByRole('link', { name: '52 weeks' }).click()
  await page.waitForURL(/[?&]from=/)
  const from = new URL(page.url()).searchParams.get('from') ?? 'none'
  await eventually(() => page.getByLabel('From', { exact: true }).inputValue(), from)
  await page.goBack()
  await eventually(() => page.getByLabel('To', { exact: true }).inputValue(), shown)
  await page.goto('/manage/report?by=species')
  await page.getByRole('table', { name: 'Fish by species, each with the range before' }).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-report-fish')
  await page.getByRole('link', { name: 'Fish by box' }).click()
  await page
    .getByRole('table', { name: /^Fish by box/ })
    .getByRole('link')
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Waste', exact: true }).click()
  await page.getByText('Nothing was lost of these boxes, nor of those before.').waitFor()
  await page.getByRole('link', { name: 'Freshness', exact: true }).click()
  await page.getByText('Nothing was sold of these boxes, nor of those before.').waitFor()
  const { boxes } = await callJson(server, 'GET', `/api/product/${product}/manage`)
  await callJson(server, 'PUT', `/api/order/${_id}/packing`, {
    lines: [{ position: 1, grams: 2_000, boxes: [{ boxID: boxes[0].boxID, amount: 2_000 }] }],
  })
  await callJson(server, 'PATCH', `/api/order/${_id}`, { status: 'PACKED' })
  const fresh = page.getByRole('slider', { name: 'Freshness by weight, row' })
  await eventually(async () => {
    await page.reload()
    return fresh.count()
  }, 1)
  await fresh.focus()
  await page.keyboard.press('Home')
  await eventually(
    async () =>
      /^All by weight: 2\.0 kg sold: 100 % [a-z ]+; nothing sold before$/.test(
        (await fresh.getAttribute('aria-valuetext')) ?? '',
      ),
    true,
  )
  const shares = page.getByRole('table', { name: /^Freshness when sold/ })
  await shares.getByRole('rowheader', { name: 'All by weight' }).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-report-freshness')
  await page.goto('/manage/report?from=2020-01-01&to=2020-01-07')
  await page.getByText('Nothing was sold in these days, nor in those before.').waitFor()
  await page.goto('/manage/report?from=2020-01-08&to=2020-01-07')
  await page.getByText(/^Error: .*must not be before from/).waitFor()
})

test('the reports are one row at every width, reached by keys, with the one that is shown in sight', async () => {
  await using at = await visitAsManager(server, '/manage/report?by=freshness')
  const { page } = at
  const links = page.getByRole('navigation', { name: 'Reports' }).getByRole('link')
  const tops = () =>
    links.evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size)
  const inSight = (name: string) =>
    links.filter({ hasText: name }).evaluate((link) => {
      const { left, right } = link.getBoundingClientRect()
      return left >= 0 && right <= window.innerWidth
    })
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    await page.reload()
    await untilHydrated(page)
    await eventually(tops, 1, `${width} px`)
    await eventually(() => inSight('Freshness'), true, `${width} px`)
    await assertNoSidewaysScroll(page)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await links.last().focus()
  const count = await links.count()
  for (let i = 1; i < count; i++) await page.keyboard.press('Shift+Tab')
  await eventually(() => inSight('By day'), true)
  await page.keyboard.press('Enter')
  await page.waitForURL(/report$/)
  await eventually(() => inSight('By day'), true)
})
