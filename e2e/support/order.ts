import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Person } from './account.ts'
import { linesOf, openCart } from './cart.ts'
import type { Server } from './server.ts'

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
