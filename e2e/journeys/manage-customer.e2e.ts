import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

/** Orders with the account that is logged in. Returns the number. */
async function order({ request }: Page): Promise<string> {
  const products = await (await server.call('/api/product/active')).json()
  const product = products.find(
    ({ stock, unit }: { stock: number; unit: string }) => stock > 5 && unit === 'kg',
  )
  const [slot] = await (await server.call('/api/slot?kind=pickup')).json()
  const placed = await request.post(`${server.url}/api/order`, {
    headers: { 'idempotency-key': 'a customer', origin: server.url },
    data: {
      lines: [{ product_id: product._id, quantity: 2 }],
      contact: { fname: 'Ann', lname: 'Lee', email: 'ann@example.org', phone: '0400 000 000' },
      fulfilment: { kind: 'pickup', slot: slot._id },
    },
  })
  assert.equal(placed.status(), 201)
  return (await placed.json()).number
}

test('who bought is listed and found, with their orders, and a copy of their data can be saved', async () => {
  await using at = await visitAsManager(server, '/manage/customer')
  const { page } = at
  const number = await order(page)
  const customers = page.getByRole('table', { name: 'Customers' })
  await eventually(async () => {
    await page.reload()
    return customers.getByText(admin.email).count()
  }, 1)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-customer')
  await page.goto(`/manage/customer?q=${encodeURIComponent('nobody at all')}`)
  await page.getByText('No customers match.').waitFor()
  await page.goto(`/manage/customer?q=${encodeURIComponent(admin.email)}`)
  await customers.getByRole('link').first().click()
  await page.getByRole('link', { name: number }).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-one-customer')
  const download = page.waitForEvent('download')
  await press(page, 'Download a copy')
  assert.equal((await download).suggestedFilename(), 'customer-data.json')
  await page.getByText('The copy is saved.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Erase' }).count(), 0, 'an owner is no customer')
})
