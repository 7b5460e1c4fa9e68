import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { signInByApi } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { assertAccessibleAcross, desktop, press, rowsOf, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServerWith } from '../support/seeded.ts'
import { admin } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

/** People who are found by one word, and a clerk who may look at customers and not at accounts. */
const MANY = 120
const clerk = { email: 'clerk@shop.example', password: admin.password }
const server = await startForFile(
  startServerWith(`
    insert into users (id, fname, lname, email, email_key, phone, role, status, password_hash)
      select 'many' || n, 'Sam' || n, 'Manyfold', 'sam' || n || '@example.org', 'sam' || n || '@example.org', '', 'USER',
        'ACTIVE', 'none' from generate_series(1, ${MANY}) n;
    insert into users (id, fname, lname, email, email_key, phone, role, rights, status, password_hash)
      select 'clerk', 'Cleo', 'Clerk', '${clerk.email}', '${clerk.email}', '', 'USER', '["order:read", "customer:read"]',
        'ACTIVE', password_hash from users where email = '${admin.email}'`),
)

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

test('of many who are found the palette leads to the list of them, which “More customers” reads to its end', async () => {
  const prepare = (context: BrowserContext) => signInByApi(context, server.url, clerk)
  await using at = await visit(`${server.url}/manage`, { ...desktop, prepare })
  const { page } = at
  await untilHydrated(page)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search the desk' })
  await palette.getByRole('combobox').fill('manyfold')
  const more = palette.getByRole('option', { name: /^More customers/ })
  await more.waitFor()
  assert.equal(await palette.getByRole('option', { name: /Manyfold/ }).count(), 5)
  await page.keyboard.press('ArrowUp') // from the first to the last
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/manage\/customer\?q=manyfold$/)
  await untilHydrated(page)
  const seen = new Set<string>()
  const read = async (count: number): Promise<void> => {
    await eventually(() => rowsOf(page, 'Customers').count(), count)
    for (const name of await rowsOf(page, 'Customers').getByRole('link').allInnerTexts()) seen.add(name)
  }
  const next = page.getByRole('link', { name: 'More customers' })
  await read(50)
  await assertAccessibleAcross(page)
  await next.click()
  await page.waitForURL(/after=/)
  await page.getByRole('link', { name: 'Back to the first' }).waitFor()
  await eventually(
    () =>
      rowsOf(page, 'Customers')
        .first()
        .textContent()
        .then((text) => seen.has(text ?? '')),
    false,
  )
  await read(50)
  await next.click()
  await read(MANY - 100)
  assert.equal(seen.size, MANY, 'nobody is left out, nobody comes twice')
  assert.equal(await next.count(), 0)
  await page.getByRole('link', { name: 'Back to the first' }).click()
  await page.waitForURL(/\/manage\/customer\?q=manyfold$/)
  await next.waitFor()
})

test('an owner is led to the accounts that are found, and a search that finds nobody says what to do', async () => {
  await using at = await visitAsManager(server, '/manage/customer')
  const { page } = at
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search the desk' })
  await palette.getByRole('combobox').fill('manyfold')
  await palette.getByRole('option', { name: /^More people/ }).click()
  await page.waitForURL(/\/manage\/user\?q=manyfold$/)
  await page.getByText(`1–50 of ${MANY} users`).waitFor()
  await page.goto('/manage/customer?q=nobody')
  await page.getByText('No customers match.').waitFor()
  await page.getByText('Guests have no account: their orders are found by name, email or phone.').waitFor()
  await page.getByRole('link', { name: 'Search the orders for “nobody”' }).click()
  await page.waitForURL(/\/manage\/order\?status=all&q=nobody$/)
})

test('who may read orders and not change them sees the complaints, under their own name', async () => {
  const prepare = (context: BrowserContext) => signInByApi(context, server.url, clerk)
  await using at = await visit(`${server.url}/manage`, { ...desktop, prepare })
  const { page } = at
  await untilHydrated(page)
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Complaints' }).click()
  await page.getByRole('heading', { level: 1, name: 'Complaints' }).waitFor()
  await page.getByText('No complaints here.').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Queue' }).count(), 0)
})
