import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { ann, type Person } from './account.ts'
import { linesOf, openCart } from './cart.ts'
import { press } from './manager.ts'
import { productNamed } from './products.ts'
import type { Server } from './server.ts'
import { eventually } from './within.ts'

/** One JSON call with every right, which must succeed. */
export async function callJson(server: Server, method: string, path: string, body?: object) {
  const init = { method, headers: { 'content-type': 'application/json' } }
  const answer = await server.call(path, body ? { ...init, body: JSON.stringify(body) } : { method })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

/** All orders of the shop, the newest first. */
export const ordersOf = async (server: Server): Promise<{ _id: string; number: string; status: string }[]> =>
  (await callJson(server, 'GET', '/api/order/all?size=200')).rows

/** Puts one of each product into the cart and goes on to the checkout. */
export async function openCheckout(page: Page, server: Server, titles: readonly string[]): Promise<void> {
  await openCart(page, await linesOf(server, titles))
  await page.getByRole('button', { name: /^Checkout/ }).click()
  await page.getByRole('button', { name: 'Place order' }).waitFor()
}

/** Fills contact and the first time there is. */
export async function fillCheckout(page: Page, { fname, lname, email, phone }: Person): Promise<void> {
  await page.getByLabel('First name').fill(fname)
  await page.getByLabel('Last name').fill(lname)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mobile phone').fill(phone)
  await firstTime(page).check()
}

export const firstTime = (page: Page) => page.getByRole('group', { name: /^When/ }).getByRole('radio').first()

export const placeOrder = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Place order' }).click()

/** Waits for the page of an order and returns its number. */
export async function orderShown(page: Page): Promise<string> {
  const heading = page.getByRole('heading', { level: 1, name: /^Order BF-/ })
  await heading.waitFor()
  return ((await heading.textContent()) ?? '').replace('Order ', '')
}

type Slot = { _id: string; startsAt: string; timeZone: string; left: number }
type Placed = { _id: string; number: string; slot: Slot; link: string }

/** Open slots for pick-up. */
export const pickupSlots = async (server: Server): Promise<Slot[]> =>
  (await fetch(`${server.url}/api/slot?kind=pickup`)).json()

/** Orders some of a product without the page, as a guest, for pick-up at the first time that is open. */
export async function orderByApi(server: Server, title: string, quantity: number): Promise<Placed> {
  const { _id } = await productNamed(server, title)
  const [slot] = await pickupSlots(server)
  const { fname, lname, email, phone } = ann
  const response = await fetch(`${server.url}/api/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      lines: [{ product_id: _id, quantity }],
      contact: { fname, lname, email, phone },
      fulfilment: { kind: 'pickup', slot: slot?._id },
    }),
  })
  const text = await response.text()
  assert.equal(response.status, 201, text)
  return JSON.parse(text) as Placed
}

/** On the desk's page of an order, whose weights are typed: saves them, packs, and waits until it is packed. */
export async function packTyped(manager: Page, server: Server, orderId: string | undefined): Promise<void> {
  await press(manager, 'Save weights and boxes')
  await press(manager, 'Pack')
  await manager.getByRole('dialog').getByRole('button', { name: 'Pack' }).click()
  const status = async () => (await callJson(server, 'GET', `/api/order/${orderId}/manage`)).status
  await eventually(status, 'PACKED')
}
