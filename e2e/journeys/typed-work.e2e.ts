import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertNoSidewaysScroll } from '../support/accessible.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { linesOf, openCart } from '../support/cart.ts'
import { desktop, openManaged, press, visitAsManager } from '../support/manager.ts'
import { editOf, productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

async function change(path: string, fields: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.call(path, { method: 'PATCH', headers, body: JSON.stringify(fields) })
  assert.equal(answer.status, 200, await answer.text())
}

async function categoryNamed(title: string): Promise<string> {
  const all: { _id: string; title: string }[] = await (await server.call('/api/category')).json()
  return all.find((one) => one.title === title)?._id ?? ''
}

const OYSTERS = "Cafe\u0301 fisher’s & O'Lee oysters"

test('a price with a decimal comma and a product without images are refused before anything is saved', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Pipis')
  const { page } = at
  const before = await productNamed(server, 'Pipis')
  await press(page, 'Edit Pipis')
  const form = editOf(page, 'Pipis')
  await form.getByLabel('Price', { exact: true }).fill('12,50')
  for (const picture of before.images) {
    assert.ok(picture)
    await form.getByRole('button', { name: 'Remove picture 1' }).click()
  }
  await press(page, 'Save')
  await form.getByText('price: write 12.50 for twelve dollars fifty').waitFor()
  await form.getByText('at least one image is required').waitFor()
  await saveScreenshot(page, 'manage-product-refused')
  assert.deepEqual(await productNamed(server, 'Pipis'), before)
  await form.getByLabel('Price', { exact: true }).fill('1,200.50')
  await press(page, 'Save')
  await form.getByText('price: write').waitFor({ state: 'detached' })
  await form.getByText('at least one image is required').waitFor()
  await press(page, 'Cancel')
  await press(page, 'Discard changes')
  await press(page, 'Edit Pipis')
  await form.getByLabel('Price', { exact: true }).fill('1,200.50')
  await press(page, 'Save')
  await page.getByText('Saved Pipis.').waitFor()
  assert.equal((await productNamed(server, 'Pipis')).price, 1_200.5)
})

test('a category with accent, apostrophe and spaces keeps its filter, and an invalid price is reported at its field', async () => {
  await change(`/api/category/${await categoryNamed('Oysters')}`, {
    title: OYSTERS,
  })
  await using at = await visit(`${server.url}/product`, desktop)
  const { page } = at
  const found = page.getByText(/^\d+ of \d+ products$/)
  const kinds = page.getByRole('list', { name: 'Category', exact: true })
  const isChosen = () => kinds.locator('a[aria-current]').textContent()
  const chosen = /Cafe\u0301 fisher’s & O'Lee oysters/
  const stock = page.getByRole('list', { name: 'Only', exact: true }).getByRole('link', { name: /^In stock/ })
  await untilHydrated(page)
  await kinds.getByRole('link', { name: OYSTERS }).click()
  await found.waitFor()
  const narrowed = await found.textContent()
  await stock.click()
  await page.waitForURL(/stock=in/)
  assert.match((await isChosen()) ?? '', chosen)
  await stock.click()
  await page.waitForURL((url) => !url.search.includes('stock=in'))
  await eventually(() => found.textContent(), narrowed)
  await page.reload()
  assert.match((await isChosen()) ?? '', chosen)
  await page.goto('/product?category=CAF%C3%89fisher%E2%80%99s%26O%27Leeoysters')
  await eventually(() => found.textContent(), narrowed, 'however the accent is written')
  assert.match((await isChosen()) ?? '', chosen)

  await page.getByLabel('From', { exact: true }).fill('12,50')
  await press(page, 'Apply')
  await page.getByText('write 12.50 for twelve dollars fifty').waitFor()
  await eventually(() => page.getByLabel('From', { exact: true }).inputValue(), '12,50')
  await eventually(() => found.textContent(), narrowed, 'nothing is left out by what says no price')
  await saveScreenshot(page, 'product-odd-price')
})

test('a category whose products cannot be loaded says so in place of the grid, and shows them when tried again', async () => {
  const { _id } = await productNamed(server, 'Vongole')
  await using at = await visit(`${server.url}/product/${_id}`, desktop)
  at.expectProblem(/ERR_FAILED/)
  const { page } = at
  await untilHydrated(page) // a link pressed before loads a document, whose products are there
  await page.route('**/api/product/onSale?*', (route) => route.abort())
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Shellfish' }).click()
  await page.getByRole('heading', { level: 1, name: 'Shellfish' }).waitFor()
  const words = 'Error: No connection to the shop. Check your network and try again.'
  await page.getByRole('main').getByRole('alert').getByText(words).waitFor()
  await page.unroute('**/api/product/onSale?*')
  await press(page, 'Try again')
  await page.getByRole('main').getByRole('link', { name: 'Vongole', exact: true }).waitFor()
})

test('very long titles without a space wrap on every screen, also on the narrowest phone', async () => {
  const [title, kind] = ['Nannygai'.repeat(15), 'Shellfish'.repeat(8)]
  const { _id } = await productNamed(server, 'Vongole')
  await change(`/api/product/${_id}`, { title, description: title.repeat(3), unit: 'dozenandahalfdozen' })
  await change(`/api/category/${await categoryNamed('Shellfish')}`, { title: kind, description: title })
  await using at = await visitAsManager(server, `/manage/product?q=${title}`)
  const { page } = at
  const tooWide: string[] = []
  const narrow = async (name: string) => {
    for (const width of [320, 360, 768, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await assertNoSidewaysScroll(page).catch(({ message }) => tooWide.push(`${name} ${width}: ${message}`))
      if (width !== 320) await saveScreenshot(page, `long-${name}-${width}`)
    }
  }
  await narrow('manage-product')
  await press(page, `Edit ${title}`)
  await narrow('manage-product-edit')
  await press(page, 'Cancel')
  for (const path of ['/manage/category', '/manage/product']) {
    await openManaged(page, path)
    await narrow(path.slice(8))
  }
  for (const path of [`/product/${_id}`, `/category/${kind}`, '/category', '/product', '/']) {
    await page.goto(path)
    await narrow(path.slice(1, 9).replace('/', '-'))
  }
  await page.setViewportSize({ width: 320, height: 800 })
  await page.locator('summary[aria-label="Menu"]').click()
  await assertNoSidewaysScroll(page)
  await openCart(page, await linesOf(server, [title]))
  await press(page, `One more ${title}`)
  await narrow('cart')
  await press(page, `Remove ${title}`)
  await page.getByText('was removed.').waitFor()
  await narrow('cart-undo')
  assert.deepEqual(tooWide, [])
})
