import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { assertLoggedIn, logIn, signInByApi } from '../support/account.ts'
import { registerBox } from '../support/boxes.ts'
import { linesOf, openCart, shownLines } from '../support/cart.ts'
import { press, visitAsManager } from '../support/manager.ts'
import { pictureFile } from '../support/pictures.ts'
import { productNamed } from '../support/products.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())
before(async () => {
  for (const boxID of ['END-1', 'END-2']) await registerBox(server, boxID)
})

/** Ends the session on the server alone: the browser keeps its cookie, and hears of it with its next request. */
async function endSession(context: BrowserContext): Promise<void> {
  const session = (await context.cookies()).find(({ name }) => name === 'befaqt_session')
  const answer = await fetch(`${server.url}/api/user/signOut`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session?.value}` },
  })
  assert.ok(answer.ok, `the session is ended: ${answer.status}`)
}

async function logInBeside(context: BrowserContext): Promise<void> {
  const tab = await context.newPage()
  await logIn(tab, admin)
  await assertLoggedIn(tab, 'Admin')
  await tab.close()
}

/** Text that is typed into each field, by its label. */
type Texts = Readonly<Record<string, string>>

type HalfFilled = {
  name: string
  path: string
  /** Opens the form and returns what holds its fields. */
  open: (page: Page) => Promise<Locator>
  typed: Texts
  /** What is typed after the session has ended. */
  rest: Texts
  send: string
  /** A refused save leaves the form in sight: it is of no row of a list. */
  stays?: true
  done: (page: Page) => Promise<void>
}

const opened =
  (name: string, heading = name) =>
  async (page: Page): Promise<Locator> => {
    await page.getByRole('heading', { name: heading, exact: true }).click()
    return page.getByRole('form', { name, exact: true })
  }

const edited =
  (button: string, name = button) =>
  async (page: Page): Promise<Locator> => {
    await press(page, button)
    return page.getByRole('form', { name, exact: true })
  }

const says = (text: string) => (page: Page) => page.getByText(text).first().waitFor()

const forms: readonly HalfFilled[] = [
  {
    name: 'a new category',
    path: '/manage/category',
    open: async (page) => {
      const form = await opened('Add New Category')(page)
      const picture = await pictureFile(server, 'Albacore', 'smoked.webp')
      await form.locator('input[type=file]').setInputFiles(picture)
      return form
    },
    typed: { Title: 'Smoked fish', Description: 'Over beech' },
    rest: { 'Shelf position': '9' },
    send: 'Add category',
    done: says('Added Smoked fish.'),
  },
  {
    name: 'a category',
    path: '/manage/category',
    open: edited('Edit Oysters'),
    typed: { Description: 'Opened while one waits' },
    rest: { 'Shelf position': '31' },
    send: 'Save',
    done: says('Saved Oysters.'),
  },
  {
    name: 'a user',
    path: '/manage/user',
    open: edited('Edit Admin Admin', `Edit ${admin.email}`),
    typed: { 'Last name': 'Harbour' },
    rest: {},
    send: 'Save',
    done: says('Saved Admin Harbour.'),
  },
  {
    name: 'where orders are picked up',
    path: '/manage/site?part=place',
    open: async (page) => page.getByRole('form', { name: 'Where orders are picked up' }),
    typed: { Name: 'The Shed' },
    rest: { 'Address (optional)': '2 Quay Rd' },
    send: 'Save',
    stays: true,
    done: says('Saved. Every page shows it now.'),
  },
  {
    name: 'a change of many products',
    path: '/manage/product?q=Pipis',
    open: async (page) => {
      await page.getByLabel('Select Pipis', { exact: true }).check()
      return page.getByRole('form', { name: 'Change selected products' })
    },
    typed: { Stock: '17' },
    rest: { Amount: '' },
    send: 'Change 1',
    done: async (page) => {
      await says('Changed 1 product.')(page)
      assert.equal((await productNamed(server, 'Pipis')).stock, 17)
    },
  },
  {
    name: 'the registration of a box',
    path: '/manage/box',
    open: opened('Register a Box'),
    typed: { 'Box id': 'END-3', 'Trader id': 'SAMPLE-77' },
    rest: { 'Fisher’s name': 'Sample Fisher', Boat: 'Gannet' },
    send: 'Register box',
    done: (page) => page.getByRole('heading', { level: 1, name: 'Box END-3' }).waitFor(),
  },
  {
    name: 'a catch',
    path: '/manage/box/END-1',
    open: async (page) => page.getByRole('form', { name: 'Add the catch' }),
    typed: { Species: 'Snapper', 'Caught at': '2026-01-12T05:40', Method: 'line', Latitude: '-33.9' },
    rest: { Longitude: '151.3', Note: 'Calm sea' },
    send: 'Add catch',
    done: says('The catch is recorded.'),
  },
  {
    name: 'a correction',
    path: '/manage/box/END-2',
    open: edited('Correct record 1'),
    typed: { Reason: 'Another boat.' },
    rest: {},
    send: 'Add correction',
    done: says('The correction is recorded.'),
  },
  {
    name: 'the products of a box',
    path: '/manage/box/END-1',
    open: async (page) => {
      await page.getByLabel('Find a product').fill('pipis')
      await press(page, 'Find')
      await press(page, 'Add Pipis')
      return page.getByRole('list', { name: 'Linked products' })
    },
    typed: { 'Quantity of Pipis': '12' },
    rest: {},
    send: 'Save links',
    done: says('Links saved.'),
  },
  {
    name: 'the reason of a seal',
    path: '/manage/box/END-2',
    open: async (page) => {
      await press(page, 'Seal this box')
      return page.getByRole('dialog').filter({ hasText: 'Seal END-2?' })
    },
    typed: { 'Reason (optional)': 'Sold' },
    rest: { 'Reason (optional)': 'Sold out' },
    send: 'Seal it for good',
    done: says('Sealed.'),
  },
  {
    name: 'a key',
    path: '/manage/key',
    open: opened('Create API key'),
    typed: { Name: 'Logger on the Gannet' },
    rest: { 'Only for these boxes (optional)': 'END-1\nEND-2' },
    send: 'Create key',
    done: (page) => page.getByRole('region', { name: 'Key “Logger on the Gannet”' }).waitFor(),
  },
]

async function fill(form: Locator, texts: Texts): Promise<void> {
  for (const [label, text] of Object.entries(texts)) await form.getByLabel(label, { exact: true }).fill(text)
}

async function assertHolds(form: Locator, texts: Texts, when: string): Promise<void> {
  for (const [label, text] of Object.entries(texts))
    await eventually(() => form.getByLabel(label, { exact: true }).inputValue(), text, `${label}, ${when}`)
}

for (const { name, path, open, typed, rest, send, stays = false, done } of forms)
  test(`a session that ends while a manager fills in ${name} costs nothing that was typed`, async () => {
    await using at = await visitAsManager(server, path)
    at.expectProblem(/status of 40[13]/)
    const { page, context } = at
    const form = await open(page)
    if (send === 'Create key') await form.getByLabel('record:write').check()
    await fill(form, typed)
    await endSession(context)
    await fill(form, rest)
    await press(page, send)
    await page.getByText('Please log in.').first().waitFor()
    await page.getByRole('link', { name: 'Log in in another tab' }).first().waitFor()
    if (send === 'Save' && !stays) await page.getByRole('button', { name: /^Keep editing/ }).click()
    await assertHolds(form, { ...typed, ...rest }, 'after the refused save')
    // In another tab by hand where the profile is edited, below.
    await signInByApi(context, server.url, admin)
    await assertHolds(form, { ...typed, ...rest }, 'after logging in')
    await press(page, send)
    await done(page)
  })

test('a session that ends while one edits the profile costs nothing that was typed', async () => {
  await using at = await visitAsManager(server, '/user/profile')
  at.expectProblem(/status of 401/)
  const { page, context } = at
  const profile = page.getByRole('main')
  await fill(profile, { 'Last name': 'Half-Typed' })
  await endSession(context)
  await fill(profile, { 'Mobile phone': '0498 765 432' })
  await press(page, 'Save')
  await page.getByRole('alert').getByText('Error: 401: Please log in.').waitFor()
  await assertHolds(
    profile,
    { 'Last name': 'Half-Typed', 'Mobile phone': '0498 765 432' },
    'after the refused save',
  )
  await logInBeside(context)
  await assertHolds(
    profile,
    { 'Last name': 'Half-Typed', 'Mobile phone': '0498 765 432' },
    'after logging in',
  )
  await press(page, 'Save')
  await assertLoggedIn(page, 'Admin')
  await page.goto('/user/profile')
  await assertHolds(profile, { 'Last name': 'Half-Typed' }, 'as it was saved')
})

test('a session that ends while a shopper fills the cart costs nothing of it', async () => {
  await using at = await visitAsManager(server, '/product')
  at.expectProblem(/401 \(Unauthorized\).*\/api\/user\/favourites/) // read while the session ends
  const { page, context } = at
  await openCart(page, await linesOf(server, ['Pipis', 'Vongole']))
  await page.getByRole('button', { name: 'Checkout', exact: true }).waitFor()
  await endSession(context)
  await press(page, 'One more Pipis')
  await page.reload()
  await page.getByRole('link', { name: 'Login to buy' }).waitFor()
  assert.deepEqual(await shownLines(page), ['Pipis 1.25', 'Vongole 1'])
})
