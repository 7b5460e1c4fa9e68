import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { signInByApi } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { callJson } from '../support/order.ts'
import { noisePicture } from '../support/pictures.ts'
import { productNamed } from '../support/products.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

/* How many taps what people come for takes. Typing is not counted, the tap into a field is. */

const server = await startForFile(startServer())
const phone = { viewport: { width: 360, height: 740 } }

/** Counts taps. */
function counter() {
  let taps = 0
  return {
    tap: async (target: Locator): Promise<void> => {
      taps += 1
      await target.click()
    },
    taps: (): number => taps,
  }
}

const toCart = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByLabel(/^Cart/)
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

test('snapper for tonight: four taps from home to the order as it will be, freshness seen in the cart on the way', async () => {
  await using at = await visit(server.url, phone)
  const { page } = at
  await untilHydrated(page)
  const { tap, taps } = counter()
  const search = page.getByRole('combobox', { name: 'Search the market' })
  await tap(search)
  await search.fill('snapper')
  await search.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Results for “snapper”' }).waitFor()
  await tap(button(page, 'Add Snapper, box from Coffs Harbour to cart'))
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByLabel(/^Cart, 1/)
    .waitFor()
  await tap(toCart(page))
  await page.getByRole('heading', { level: 1, name: /cart/i }).waitFor()
  await page
    .getByRole('main')
    .getByText(/best by/i)
    .first()
    .waitFor()
  assert.equal(taps(), 3, 'freshness is in the cart without a tap of its own')
  await tap(button(page, /^Checkout/))
  await button(page, 'Place order').waitFor()
  assert.equal(taps(), 4)
})

test('a chef’s 18 kg in four lines: eight taps at most to the order as it will be', async () => {
  const wanted: [title: string, kg: number][] = [
    ['Snapper, whole', 6],
    ['Pipis', 4],
    ['Vongole', 3],
    ['Blue mussels', 5],
  ]
  for (const [title, kg] of wanted) {
    const { _id, stock } = await productNamed(server, title)
    if (stock < kg) await callJson(server, 'PATCH', `/api/product/${_id}`, { stock: kg + 10 })
  }
  await using at = await visit(`${server.url}/product`, {
    ...desktop,
    prepare: (context) => signInByApi(context, server.url, admin),
  })
  const { page } = at
  await untilHydrated(page)
  const { tap, taps } = counter()
  for (const [title] of wanted) {
    await tap(button(page, `Add ${title} to cart`))
    await page
      .getByText(/\d+ .*in it|Added/)
      .first()
      .waitFor()
  }
  await tap(toCart(page))
  for (const [title, kg] of wanted) {
    const field = page.getByLabel(`Quantity of ${title}`)
    await field.fill(String(kg)) // by Tab from line to line
    await field.press('Enter')
  }
  await tap(button(page, /^Checkout/))
  await button(page, 'Place order').waitFor()
  await page.getByText(/6 kg/).first().waitFor()
  assert.ok(taps() <= 8, `${taps()} taps`)
})

const atProducts = (q: string) =>
  visit(`${server.url}/manage/product?q=${encodeURIComponent(q)}`, {
    ...phone,
    prepare: (context) => signInByApi(context, server.url, admin),
  })

test('one price in the list of products: a tap and Enter; back by one more', async () => {
  const { price } = await productNamed(server, 'Pipis')
  await using at = await atProducts('Pipis')
  const { page } = at
  await untilHydrated(page)
  const { tap, taps } = counter()
  await tap(button(page, /^Change price of Pipis/))
  await page.keyboard.type('31.5')
  await page.keyboard.press('Enter')
  await page.getByText(`Price of Pipis: 31.5, was ${price}.`).waitFor()
  assert.equal(taps(), 1)
  await tap(button(page, 'Undo'))
  await page.getByText(`Price of Pipis: ${price} again.`).waitFor()
  assert.equal((await productNamed(server, 'Pipis')).price, price)
})

test('one product marked down in the list of products: a tap and Enter', async () => {
  await using at = await atProducts('Vongole')
  const { page } = at
  await untilHydrated(page)
  const { tap, taps } = counter()
  await tap(button(page, /^Change discount of Vongole/))
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await page.getByText('Discount of Vongole: 20, was').waitFor()
  assert.equal(taps(), 1)
  assert.equal((await productNamed(server, 'Vongole')).discount, 20)
})

test('twenty products with pictures, named, priced and on sale: thirty taps at most', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `Landing ${String.fromCharCode(65 + at)}`)
  await using at = await visit(`${server.url}/manage/product`, {
    ...phone,
    prepare: (context) => signInByApi(context, server.url, admin),
  })
  const { page } = at
  await untilHydrated(page)
  const { tap, taps } = counter()
  await tap(page.locator('summary', { hasText: 'New from pictures' }))
  const chooser = page.waitForEvent('filechooser')
  await tap(page.locator('label', { hasText: 'Choose pictures for drafts' }))
  await (await chooser).setFiles(names.map((name) => noisePicture(`${name.replace(' ', '_')}.png`, 40)))
  await page.getByText('20 drafts made. None is on sale yet.').waitFor()
  await tap(page.getByRole('link', { name: 'Show the drafts' }))
  await page.waitForURL(/sort=updated/)
  await page.getByText(/^1–\d+ of 2\d products/).waitFor()
  await tap(button(page, /^Change price of Landing/))
  for (let i = 0; i < names.length; i++) {
    const said = page.getByRole('status').filter({ hasText: `: ${20 + i}, was 0.` })
    await page.keyboard.type(String(20 + i))
    await page.keyboard.press('Enter') // the next one opens
    await said.waitFor()
  }
  await page.keyboard.press('Escape')
  for (const name of names) await tap(page.getByLabel(`Select ${name}`))
  const form = page.getByRole('form', { name: 'Change selected products' })
  await tap(form.getByLabel('Status'))
  await form.getByLabel('Status').selectOption('ACTIVE')
  await tap(form.getByRole('button', { name: 'Change 20' }))
  await page.getByText('Changed 20 products.').waitFor()
  for (const name of names) {
    const { price, images } = await productNamed(server, name)
    assert.ok(price >= 20 && images.length === 1, name)
  }
  assert.ok(taps() <= 30, `${taps()} taps`)
})

test('four lines are packed by five presses of Enter, and no mouse', async () => {
  const titles = ['Snapper, whole', 'Pipis', 'Vongole', 'Blue mussels']
  const products = await Promise.all(titles.map((title) => productNamed(server, title)))
  const slots: { _id: string }[] = await (await fetch(`${server.url}/api/slot?kind=pickup`)).json()
  const slot = slots.at(-1)?._id ?? ''
  const placed = await fetch(`${server.url}/api/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      lines: products.map(({ _id }) => ({ product_id: _id, quantity: 1 })),
      contact: { fname: 'Ann', lname: 'Sample', email: 'ann@example.org', phone: '0400 000 000' },
      fulfilment: { kind: 'pickup', slot },
    }),
  })
  assert.equal(placed.status, 201, await placed.clone().text())
  const { number } = await placed.json()
  await using at = await visit(`${server.url}/manage/slot/${slot}/pack`, {
    viewport: { width: 1024, height: 768 },
    prepare: (context) => signInByApi(context, server.url, admin),
  })
  const { page } = at
  await untilHydrated(page)
  let presses = 0
  const enter = async (): Promise<void> => {
    presses += 1
    await page.keyboard.press('Enter')
  }
  for (const title of titles) {
    const field = page.getByLabel(`Net weight in grams of ${title}`)
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('1000')
    await enter()
  }
  await page.getByText('Every line is weighed.').waitFor()
  await enter()
  await page.getByText(`${number} is packed.`, { exact: false }).waitFor()
  assert.equal(presses, 5)
})

test('“Mark down 20 % until six”: two taps, undone by one', async () => {
  const { discount } = await productNamed(server, 'Octopus')
  await using at = await atProducts('Octopus')
  const { page } = at
  await untilHydrated(page)
  const { tap, taps } = counter()
  await tap(page.getByLabel('Select Octopus'))
  await tap(button(page, 'Mark down by 20 %'))
  await page.getByText('Changed 1 product.').waitFor()
  assert.ok(taps() <= 3, `${taps()} taps`)
  assert.equal((await productNamed(server, 'Octopus')).discount, 20)
  await tap(button(page, 'Undo the change'))
  await page.getByText('Undone.').waitFor()
  assert.equal((await productNamed(server, 'Octopus')).discount, discount)
})

test('a recall, from the call that names a box to its standing: four taps at most on a phone', async () => {
  await using at = await visit(`${server.url}/manage`, {
    ...phone,
    prepare: (context) => signInByApi(context, server.url, admin),
  })
  const { page } = at
  await untilHydrated(page)
  const { tap, taps } = counter()
  await tap(page.getByRole('button', { name: 'Search the desk' }))
  const found = page.getByRole('dialog', { name: 'Search the desk' })
  await found.getByRole('combobox').fill('0345579446')
  await found.getByRole('option', { name: /^0345579446/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Box 0345579446' }).waitFor()
  await tap(button(page, 'Recall this box'))
  const dialog = page.getByRole('dialog', { name: 'Recall 0345579446?' })
  await tap(dialog.getByLabel('Reason'))
  await page.keyboard.type('The supplier told us of histamine.')
  await tap(dialog.getByRole('button', { name: /^Recall/ }))
  await page.getByText('This box is recalled').waitFor()
  assert.ok(taps() <= 4, `${taps()} taps`)
  const sold = await fetch(
    `${server.url}/api/product/${(await productNamed(server, 'Dusky flathead fillets'))._id}`,
  )
  assert.equal((await sold.json()).stock, 0, 'nothing of it is sold any more')
})
