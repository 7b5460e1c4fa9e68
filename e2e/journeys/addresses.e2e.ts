import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann } from '../support/account.ts'
import { untilHydrated } from '../support/browser.ts'
import { press, visitAsManager } from '../support/manager.ts'
import { fillCheckout, firstTime, openCheckout, orderShown, placeOrder } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

/** The most that an account keeps. */
const MAX_ADDRESSES = 10

const contact = { ...ann, email: admin.email }
const street = (page: Page) => page.getByLabel('Street and number')
const keep = (page: Page) => page.getByLabel('Keep this address in my account')
const kept = (page: Page) => page.getByRole('region', { name: 'Addresses' }).getByRole('listitem')

async function typeAddress(
  page: Page,
  typed: { street: string; suburb: string; postcode: string },
): Promise<void> {
  await street(page).fill(typed.street)
  await page.getByLabel('Suburb').fill(typed.suburb)
  await page.getByLabel('Postcode').fill(typed.postcode)
}

/** Keeps an address as another device would. */
const addByApi = (page: Page, address: object): Promise<number> =>
  page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch('/api/user/address', { method: 'POST', headers, body })).status
  }, JSON.stringify(address))

async function openProfile(page: Page): Promise<void> {
  await page.goto('/user/profile')
  await untilHydrated(page)
}

test('an address is kept at the checkout, chosen again, changed and deleted in the profile, and put back', async () => {
  await using at = await visitAsManager(server, '/')
  at.expectProblem(/40[49]/)
  const { page, context } = at
  await openCheckout(page, server, ['Pipis'])
  await fillCheckout(page, contact)
  await page.getByLabel('Delivery').check()
  await typeAddress(page, { street: '1 Bank St', suburb: 'Pyrmont', postcode: '2009' })
  await keep(page).check()
  await firstTime(page).check()
  await placeOrder(page)
  await orderShown(page)
  const order = page.url()

  await openProfile(page)
  await eventually(() => kept(page).count(), 1)
  await page.getByText('1 Bank St, Pyrmont NSW 2009').waitFor()
  await page.getByText('Preferred', { exact: true }).waitFor()
  await press(page, 'Edit 1 Bank St')
  await page.getByLabel('What you call it').fill('Home')
  await press(page, 'Save address')
  await page.getByText('Home', { exact: false }).first().waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Edit Home')
  await press(page, 'Add an address')
  await page.getByLabel('What you call it').fill('Work')
  await typeAddress(page, { street: '2 Pier St', suburb: 'Sydney', postcode: '2000' })
  await press(page, 'Save address')
  await eventually(() => kept(page).count(), 2)
  await press(page, 'Prefer Work')
  await page.getByRole('button', { name: 'Prefer Home' }).waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'account-addresses')

  await press(page, 'Delete Work')
  await page.getByText('Work was deleted.').waitFor()
  await eventually(() => kept(page).count(), 1)
  await press(page, 'Undo')
  await eventually(() => kept(page).count(), 2)
  await page.getByRole('button', { name: 'Prefer Home' }).waitFor()

  const other = await context.newPage()
  await other.goto('/')
  await openCheckout(other, server, ['Pipis'])
  await other.getByLabel('Delivery').check()
  await eventually(() => street(other).inputValue(), '2 Pier St', 'the preferred one')
  await eventually(() => keep(other).count(), 0, 'it is kept already')
  for (const _ of 'twice') {
    await press(other, 'Home: 1 Bank St')
    await eventually(() => street(other).inputValue(), '1 Bank St')
    await eventually(() => other.getByLabel('Postcode').inputValue(), '2009')
    await street(other).fill('3 Quay St')
    await keep(other).waitFor()
  }

  await other.goto(order)
  await untilHydrated(other)
  await press(other, 'Change order')
  await street(other).fill('3 Quay St')
  await press(other, 'Home: 1 Bank St')
  await eventually(() => street(other).inputValue(), '1 Bank St', 'also where an order is changed')
  await assertAccessibleEverywhere(other)
  await press(other, 'Save changes')
  await other.getByRole('button', { name: 'Change order' }).waitFor()

  await openProfile(other)
  await press(other, 'Edit Work')
  await press(page, 'Delete Work')
  await eventually(() => kept(page).count(), 1)
  await press(other, 'Save address')
  await other.getByText('This address is not kept any more').waitFor()
  await press(other, 'Cancel')
  await eventually(() => kept(other).count(), 1)

  for (let i = 1; i < MAX_ADDRESSES; i++) {
    const more = {
      label: `Pier ${i}`,
      street: `${i} Quay St`,
      suburb: 'Sydney',
      state: 'NSW',
      postcode: '2000',
    }
    assert.equal(await addByApi(page, more), 201)
  }
  await press(page, 'Undo')
  await page.getByText(`keeps ${MAX_ADDRESSES} addresses at most`).waitFor()
  await page.getByText(`These are ${MAX_ADDRESSES}, which is the most.`).waitFor()
  await page.getByRole('button', { name: 'Add an address' }).waitFor({ state: 'detached' })
})
