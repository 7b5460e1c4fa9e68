import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { linkIn, signInByApi } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import {
  assertAccessibleAcross,
  banner,
  desktop,
  openManaged,
  press,
  rowOf,
  visitAsManager,
} from '../support/manager.ts'
import { callJson } from '../support/order.ts'
import { productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin } from '../support/server.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const { server, mailbox } = await startForFile(startWithMailbox())
const phone = { viewport: { width: 360, height: 740 } }

const product = (title: string) => productNamed(server, title)
const cell = (page: Page, field: string, title: string) =>
  page.getByRole('button', { name: new RegExp(`^Change ${field} of ${title}:`) })
const input = (page: Page, field: string, title: string) =>
  page.getByLabel(`${field} of ${title}`, { exact: true })
const news = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(
    () => document.activeElement?.ariaLabel ?? document.activeElement?.textContent?.trim() ?? null,
  )

test('by keyboard alone: price, discount, stock and status of rows change by digits, Enter, Tab and arrows, and are taken back', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=oyster&sort=title')
  const { page } = at
  const titles = await page.locator('tbody th span.font-semibold').allInnerTexts()
  const [one = '', two = ''] = titles
  const [before, below] = [await product(one), await product(two)]
  await cell(page, 'price', one).focus()
  await page.keyboard.press('1')
  await page.keyboard.type('7.25')
  await eventually(() => input(page, 'Price', one).inputValue(), '17.25')
  await page.keyboard.press('Enter')
  await eventually(() => focused(page), `Price of ${two}`)
  await news(page, `Price of ${one}: 17.25, was ${before.price}.`).waitFor()
  assert.equal((await product(one)).price, 17.25)

  await page.keyboard.type('21')
  await page.keyboard.press('Tab')
  await eventually(() => focused(page), `Discount of ${two}`)
  await page.keyboard.type('15')
  await page.keyboard.press('Tab')
  await eventually(() => focused(page), `Stock of ${two}`)
  await page.keyboard.type('64')
  await page.keyboard.press('Tab')
  await eventually(() => focused(page), `Status of ${two}`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  assert.equal(await input(page, 'Status', two).inputValue(), 'DISABLED')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await news(page, `Status of ${two}: INACTIVE, was ACTIVE.`).waitFor()
  const changed = await product(two)
  assert.deepEqual([changed.price, changed.discount, changed.stock], [21, 15, 64])
  await page.keyboard.press('Escape')

  await cell(page, 'status', two).focus()
  for (const said of [
    `Status of ${two}: ACTIVE again.`,
    `Stock of ${two}: ${below.stock} again.`,
    `Discount of ${two}: ${below.discount} again.`,
    `Price of ${two}: ${below.price} again.`,
    `Price of ${one}: ${before.price} again.`,
  ]) {
    await page.keyboard.press('Control+z')
    await news(page, said).waitFor()
  }
  assert.deepEqual(
    [(await product(one)).price, (await product(two)).price, (await product(two)).stock],
    [before.price, below.price, below.stock],
  )

  await page.keyboard.press('ArrowLeft')
  await eventually(async () => (await focused(page))?.startsWith(`Change stock of ${two}`), true)
  await page.keyboard.press('ArrowUp')
  await eventually(async () => (await focused(page))?.startsWith(`Change stock of ${one}`), true)
  await page.keyboard.press('Enter')
  await page.keyboard.type('-3')
  await page.keyboard.press('Enter')
  await page.getByText('stock must not be negative').waitFor()
  await eventually(() => focused(page), `Stock of ${one}`)
  await saveScreenshot(page, 'manage-cell-refused')
  await assertAccessibleAcross(page)
  await page.keyboard.press('Escape')
  await eventually(async () => (await focused(page))?.startsWith(`Change stock of ${one}`), true)
  assert.equal((await product(one)).stock, before.stock)
})

test('on a phone a price is a tap, and another tap anywhere saves it; a status takes two; nothing scrolls sideways', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Vongole', phone)
  const { page } = at
  await cell(page, 'price', 'Vongole').click()
  await input(page, 'Price', 'Vongole').fill('19.5')
  await page.getByRole('heading', { name: 'Product List' }).click()
  await news(page, 'Price of Vongole: 19.5').waitFor()
  assert.equal((await product('Vongole')).price, 19.5)
  await cell(page, 'status', 'Vongole').click()
  await input(page, 'Status', 'Vongole').selectOption('INACTIVE')
  await news(page, 'Status of Vongole: INACTIVE, was ACTIVE.').waitFor()
  await saveScreenshot(page, 'manage-cells-phone')
  await assertAccessibleAcross(page)
  await press(page, 'Undo')
  await news(page, 'Status of Vongole: ACTIVE again.').waitFor()
})

test('of two people at one cell the second is told what the first set; other fields of the row are no contradiction', async () => {
  await using first = await visitAsManager(server, '/manage/product?q=mussels')
  await using second = await visitAsManager(server, '/manage/product?q=mussels')
  for (const at of [first, second]) at.expectProblem(/status of 409/)
  const name = 'Blue mussels'
  await cell(second.page, 'price', name).click()
  await input(second.page, 'Price', name).fill('15')
  await cell(first.page, 'price', name).click()
  await input(first.page, 'Price', name).fill('11')
  await first.page.keyboard.press('Enter')
  await news(first.page, `Price of ${name}: 11`).waitFor()

  const { page } = second
  await page.keyboard.press('Enter')
  await page.getByText('Somebody else set it to 11 meanwhile.').waitFor()
  await eventually(() => input(page, 'Price', name).inputValue(), '15', 'what was typed is kept')
  assert.equal((await product(name)).price, 11, 'nothing was overwritten')
  await saveScreenshot(page, 'manage-cell-second')
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Leave without saving?' }).waitFor()
  await press(page, 'Keep editing')
  await press(page, 'Set mine')
  await news(page, `Price of ${name}: 15, was 11.`).waitFor()
  assert.equal((await product(name)).price, 15)

  await cell(first.page, 'stock', name).click()
  await input(first.page, 'Stock', name).fill('33')
  await first.page.keyboard.press('Enter')
  await news(first.page, `Stock of ${name}: 33`).waitFor()
  const both = await product(name)
  assert.deepEqual([both.price, both.stock], [15, 33], 'the price of the other stays')

  await press(page, 'Undo')
  await news(page, `Price of ${name}: 11 again.`).waitFor()
  await press(first.page, 'Undo')
  await news(first.page, `Stock of ${name}:`).filter({ hasText: 'again.' }).waitFor()
  await press(first.page, 'Undo')
  assert.notEqual((await product(name)).price, 15)
})

test('what could not be saved stays in its cell: offline, after a reload, and when the session ended', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Pipis')
  at.expectProblem(/ERR_INTERNET_DISCONNECTED|status of 401/)
  const { page, context } = at
  await cell(page, 'stock', 'Pipis').click()
  await input(page, 'Stock', 'Pipis').fill('41')
  await context.setOffline(true)
  await page.keyboard.press('Enter')
  await page.getByText('No connection to the shop.').waitFor()
  await context.setOffline(false)
  await page.reload()
  await untilHydrated(page)
  await page.getByText('This page was loaded anew before it was saved.').waitFor()
  await eventually(() => input(page, 'Stock', 'Pipis').inputValue(), '41')
  await press(page, 'Save again')
  await news(page, 'Stock of Pipis: 41').waitFor()

  await cell(page, 'price', 'Pipis').click()
  await input(page, 'Price', 'Pipis').fill('27.4')
  await context.clearCookies()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Log in in another tab' }).waitFor()
  await saveScreenshot(page, 'manage-cell-session-ended')
  await eventually(() => input(page, 'Price', 'Pipis').inputValue(), '27.4')
  await signInByApi(context, server.url, admin)
  await press(page, 'Save again')
  await news(page, 'Price of Pipis: 27.4').waitFor()
  assert.equal((await product('Pipis')).price, 27.4)
})

test('a right that is taken away meanwhile takes nothing of what was typed', async () => {
  const cat = { email: 'cat.keeper@example.org', password: 'slate and chalk' }
  await using owner = await visitAsManager(server, '/manage/staff')
  const asOwner = async (method: string, path: string, data?: object) => {
    const asked = { method, headers: { origin: server.url }, ...(data && { data }) }
    const answer = await owner.page.request.fetch(`${server.url}/api/manage/staff${path}`, asked)
    assert.ok(answer.ok(), await answer.text())
    return answer.json()
  }
  await asOwner('POST', '/invitation', { email: cat.email, rights: ['shop:write'] })
  const link = linkIn(await mailbox.waitForMail(cat.email, /^Work at the desk of/))
  const person = { fname: 'Cat', lname: 'Keeper', password: cat.password, confirmPassword: cat.password }
  await callJson(server, 'POST', '/api/user/staff/join', { token: link.split('/').at(-1), person })
  const prepare = (context: BrowserContext) => signInByApi(context, server.url, cat)
  await using at = await visit(`${server.url}/manage/product?q=Octopus`, { ...desktop, prepare })
  at.expectProblem(/status of 403/)
  const { page } = at
  await untilHydrated(page)
  await cell(page, 'price', 'Octopus').click()
  await input(page, 'Price', 'Octopus').fill('31')
  const staff: { people: { _id: string; email: string }[] } = await asOwner('GET', '')
  const found = staff.people.find(({ email }) => email === cat.email)
  assert.ok(found)
  await asOwner('PUT', `/${found._id}`, { rights: ['box:write'] })
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'Save again' }).waitFor()
  await eventually(() => input(page, 'Price', 'Octopus').inputValue(), '31')
  await saveScreenshot(page, 'manage-cell-right-gone')
  await asOwner('PUT', `/${found._id}`, { rights: ['shop:write'] })
  await press(page, 'Save again')
  await news(page, 'Price of Octopus: 31').waitFor()
  assert.equal((await product('Octopus')).price, 31)
})

test('a product at 0.00 is asked about once before it goes on sale', async () => {
  const { _id } = await product('Arrow squid')
  await callJson(server, 'PATCH', `/api/product/${_id}`, { price: 0, status: 'INACTIVE' })
  await using at = await visitAsManager(server, '/manage/product?q=Arrow')
  const { page } = at
  await cell(page, 'status', 'Arrow squid').click()
  await input(page, 'Status', 'Arrow squid').selectOption('ACTIVE')
  await page.getByText('It would be on sale at $0.00.').waitFor()
  await press(page, 'Cancel')
  await openManaged(page, '/manage/product?q=Arrow')
  await rowOf(page, 'Products', 'Arrow squid').getByText('INACTIVE').waitFor()
  await cell(page, 'status', 'Arrow squid').click()
  await input(page, 'Status', 'Arrow squid').selectOption('ACTIVE')
  await press(page, 'Put on sale')
  await news(page, 'Status of Arrow squid: ACTIVE, was INACTIVE.').waitFor()
  assert.equal(await banner(page).count(), 0)
})
