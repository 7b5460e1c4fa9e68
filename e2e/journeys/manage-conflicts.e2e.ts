import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { banner, press, rowOf, visitAsManager } from '../support/manager.ts'
import { editOf, productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually, until } from '../support/within.ts'

const server = await startForFile(startServer())

/** An edit by somebody else. */
async function change(title: string, fields: object): Promise<void> {
  const { _id } = await productNamed(server, title)
  const headers = { 'content-type': 'application/json' }
  const answer = await server.call(`/api/product/${_id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify(fields),
  })
  assert.equal(answer.status, 200, await answer.text())
}

const price = (page: Page, title: string) => editOf(page, title).getByLabel('Price', { exact: true })

async function changeSelected(page: Page, titles: readonly string[], set: Record<string, string>) {
  for (const title of titles) await page.getByLabel(`Select ${title}`, { exact: true }).check()
  const form = page.getByRole('form', { name: 'Change selected products' })
  if (set.status) await form.getByLabel('Status').selectOption(set.status)
  if (set.percent) {
    await form.getByLabel('Price').selectOption('percent')
    await form.getByLabel('Amount').fill(set.percent)
  }
  await press(page, `Change ${titles.length}`)
}

test('a bulk change says how many rows it changed, and causes no conflict with one’s own edits', async () => {
  await change('Arrow squid', { status: 'INACTIVE' })
  await using at = await visitAsManager(server, '/manage/product')
  at.expectProblem(/status of 409/)
  const { page } = at
  const titles = ['Arrow squid', 'Octopus']
  await changeSelected(page, titles, { status: 'ACTIVE' })
  await page.getByText('Changed 1 product.').waitFor()
  for (const title of titles) {
    await press(page, `Edit ${title}`)
    await editOf(page, title).getByLabel('Stock').fill('41')
    await press(page, 'Save')
    await page.getByText(`Saved ${title}.`).waitFor()
    assert.equal((await productNamed(server, title)).stock, 41)
  }

  const before = await productNamed(server, 'Arrow squid')
  await press(page, 'Edit Arrow squid')
  await editOf(page, 'Arrow squid').getByLabel('Stock').fill('42')
  await changeSelected(page, titles, { percent: '10' })
  await page.getByText('Changed 2 products.').waitFor()
  await press(page, 'Save')
  await page.getByText('Saved Arrow squid. What you changed in the meantime stays: Price.').waitFor()
  const now = await productNamed(server, 'Arrow squid')
  assert.deepEqual([now.stock, now.price], [42, Math.round(before.price * 110) / 100])

  await press(page, 'Edit Octopus')
  await price(page, 'Octopus').fill('50')
  await changeSelected(page, titles, { percent: '10' })
  await page.getByText('Changed 2 products.').waitFor()
  await press(page, 'Save')
  await banner(page).getByText('You changed this in the meantime together with other rows.').waitFor()
  await press(page, 'Keep editing Octopus')
  await eventually(() => price(page, 'Octopus').inputValue(), '50')
  await change('Octopus', { unit: 'tray' })
  await press(page, 'Save')
  await page.getByText('Saved Octopus. What somebody else changed in the meantime stays: Unit.').waitFor()
  const octopus: Record<string, unknown> = await productNamed(server, 'Octopus')
  assert.deepEqual([octopus.price, octopus.unit], [50, 'tray'])
})

test('a failed bulk change keeps what was typed, and shows no row as changed', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=snapper')
  at.expectProblem(/ERR_FAILED/)
  const { page } = at
  const title = 'Snapper, whole'
  const { price } = await productNamed(server, title)
  await page.route('**/api/product/bulk', (route) => route.abort())
  await changeSelected(page, [title], { percent: '25' })
  await banner(page).getByText('Error: No connection to the shop.').waitFor()
  const form = page.getByRole('form', { name: 'Change selected products' })
  await eventually(() => form.getByLabel('Amount').inputValue(), '25')
  await rowOf(page, 'Products', title)
    .getByText(`$${price.toFixed(2)}`, { exact: false })
    .first()
    .waitFor()
  await page.unroute('**/api/product/bulk')
  await press(page, 'Change 1')
  await page.getByText('Changed 1 product.').waitFor()
  assert.equal((await productNamed(server, title)).price, Math.round(price * 125) / 100)
  await until(60, 'the form is empty', async () => (await form.getByLabel('Amount').inputValue()) === '')
})

test('undoing a bulk change reverts only what it changed, and nothing that somebody else changed since', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=prawns')
  const { page } = at
  const [one, other] = ['Eastern king prawns, raw', 'School prawns, raw']
  const [first, second] = [await productNamed(server, one), await productNamed(server, other)]
  await changeSelected(page, [one, other], { percent: '10' })
  await page.getByText('Changed 2 products.').waitFor()
  await change(other, { stock: 1, status: 'INACTIVE' })
  await press(page, 'Undo the change')
  await page.getByText('Undone for 1 product; 1 product changed since stays as it is.').waitFor()
  assert.equal((await productNamed(server, one)).price, first.price)
  const left = await productNamed(server, other)
  assert.deepEqual([left.stock, left.price], [1, Math.round(second.price * 110) / 100])
  await rowOf(page, 'Products', other).getByText('1, low').waitFor()
})

test('conflicting edits of two managers are resolved field by field; changes of only one stay', async () => {
  const title = 'Blue mussels'
  await using at = await visitAsManager(server, '/manage/product?q=mussels')
  at.expectProblem(/status of 409/)
  const { page } = at
  await press(page, `Edit ${title}`)
  await price(page, title).fill('15')
  await editOf(page, title).getByLabel('Unit').fill('bag')
  await editOf(page, title).getByLabel('Description').fill('Cleaned and bearded.')
  await change(title, { price: 11, unit: 'net', stock: 7 })
  await press(page, 'Save')
  await banner(page).getByText('Somebody else changed this in the meantime. Nothing was saved.').waitFor()
  const choice = banner(page).getByRole('form', { name: `Yours and theirs for ${title}` })
  await eventually(() => choice.locator('legend').allTextContents(), ['Price', 'Unit'])
  await saveScreenshot(page, 'manage-conflict')
  await choice.getByRole('group', { name: 'Price' }).getByLabel('Theirs: 11').check()
  await press(page, `Keep editing ${title}`)
  await eventually(() => price(page, title).inputValue(), '11')
  await eventually(() => editOf(page, title).getByLabel('Stock').inputValue(), '7')
  await eventually(() => editOf(page, title).getByLabel('Unit').inputValue(), 'bag')
  await press(page, 'Save')
  await page.getByText(`Saved ${title}.`).waitFor()
  const saved: Record<string, unknown> = await productNamed(server, title)
  assert.deepEqual(
    [saved.price, saved.unit, saved.stock, saved.description],
    [11, 'bag', 7, 'Cleaned and bearded.'],
  )
})

test('a conflict over images shows them', async () => {
  const title = 'Blue mussels'
  await using at = await visitAsManager(server, '/manage/product?q=mussels')
  at.expectProblem(/status of 409/)
  const { page } = at
  await press(page, `Edit ${title}`)
  await editOf(page, title).getByLabel('Alt text for picture 1').fill('My words')
  const { _id, images } = await productNamed(server, title)
  const theirs = new FormData()
  for (const { path } of images) {
    theirs.append('imagePaths[]', path)
    theirs.append('imageAlts[]', 'Their words')
  }
  const answer = await server.call(`/api/product/${_id}`, { method: 'PATCH', body: theirs })
  assert.equal(answer.status, 200, await answer.text())
  await press(page, 'Save')
  const group = banner(page).getByRole('group', { name: 'Images' })
  await group.getByText('My words').waitFor()
  await eventually(() => group.locator('img').count(), 2 * images.length)
  await group.getByText('Their words').first().waitFor()
  await saveScreenshot(page, 'manage-conflict-pictures')
  await banner(page).getByRole('button', { name: 'Take theirs' }).click()
  await group.waitFor({ state: 'detached' })
})

test('a session that ends during an edit offers the login in another tab, after which the edit is saved', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Pipis')
  at.expectProblem(/status of 40[13]/)
  const { page, context } = at
  await press(page, 'Edit Pipis')
  await editOf(page, 'Pipis').getByLabel('Description').fill('Purged overnight')
  await context.clearCookies()
  await press(page, 'Save')
  await banner(page).getByText('Error: Please log in.').waitFor()
  await press(page, 'Keep editing Pipis')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await press(page, 'Save')
  const opening = page.waitForEvent('popup')
  await banner(page).getByRole('link', { name: 'Log in in another tab' }).click()
  const login = await opening
  await login.getByLabel('Email').fill(admin.email)
  await login.getByLabel('Password', { exact: true }).fill(admin.password)
  await login.getByRole('button', { name: 'Log in', exact: true }).click()
  await login.waitForURL('**/manage/product?q=Pipis')
  await login.close()
  await press(page, 'Keep editing Pipis')
  await eventually(() => editOf(page, 'Pipis').getByLabel('Description').inputValue(), 'Purged overnight')
  await press(page, 'Save')
  await page.getByText('Saved Pipis.').waitFor()
})
