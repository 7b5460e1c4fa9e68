import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Visit, visit } from '../support/browser.ts'
import { requestsOf, serveHookPages } from '../support/hook-pages.ts'
import { eventually } from '../support/within.ts'

let pages: Awaited<ReturnType<typeof serveHookPages>>
before(async () => {
  pages = await serveHookPages()
})
after(() => pages[Symbol.asyncDispose]())

const open = (path: string): Promise<Visit> => visit(`${pages.url}${path}`)

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

const errorsOf = (page: Page): Promise<string[]> => page.locator('[data-error]').allTextContents()

/** What the tab keeps of drafts, as one text. */
const stored = (page: Page): Promise<string> =>
  page.evaluate(() => Object.entries(window.sessionStorage).flat().join('\n'))

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

test('useForm checks a field when it is left, and then at each key', async () => {
  await using at = await open('/form')
  const { page } = at
  const title = page.getByLabel('Title')
  await title.pressSequentially('ab')
  assert.deepEqual(await errorsOf(page), [], 'not while it is first typed into')
  await title.blur()
  await page.getByText('title is too short').waitFor()
  await title.fill('abcdefghi')
  await page.getByText('title is too long').waitFor()
  await title.press('Backspace')
  await page.getByText('title is too long').waitFor({ state: 'detached' })
  const notes = page.getByLabel('Notes')
  await notes.focus()
  await notes.blur()
  assert.deepEqual(await errorsOf(page), [], 'a field left empty is not wrong yet')
})

test('useForm says all that is wrong on sending, goes to the first, and clears selects and text areas, too', async () => {
  await using at = await open('/form')
  const { page } = at
  let sent = 0
  await page.route('**/data/fish', (route) => {
    sent += 1
    return route.abort()
  })
  await page.getByLabel('Title').fill('Tuna')
  await page.getByLabel('Notes').fill('much too long')
  await press(page, 'Save')
  await page.getByText('category is required').waitFor()
  const all = ['category is required', 'notes are too long', 'a picture is required']
  assert.deepEqual(await errorsOf(page), all)
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'category')
  await page.getByLabel('Category').selectOption('whole')
  await page.getByText('category is required').waitFor({ state: 'detached' })
  await page.getByLabel('Notes').fill('short')
  await page.getByText('notes are too long').waitFor({ state: 'detached' })
  await press(page, 'Add picture')
  await page.getByText('a picture is required').waitFor({ state: 'detached' })
  assert.equal(sent, 0)
})

test('useForm sends once, and keeps what was typed and what the shop rejected of it until that changes', async () => {
  await using at = await open('/form')
  at.expectProblem(/400/)
  const { page } = at
  const next = await requestsOf(page, '/data/fish')
  const [title, category] = [page.getByLabel('Title'), page.getByLabel('Category')]
  await title.fill('Tuna')
  await category.selectOption('whole')
  await press(page, 'Add picture')
  await press(page, 'Save')
  await page.getByText('sending').waitFor()
  await title.press('Enter')
  const first = await next()
  assert.deepEqual(first.body, { title: 'Tuna', category: 'whole', notes: '', boat: 'Gannet' })
  const fields = [
    { path: 'title', message: 'is taken' },
    { path: 'category', message: 'is closed' },
  ]
  await first.reject(400, { code: 'input.invalid', message: 'Not accepted.', fields })
  await page.getByText('Not accepted.').waitFor()
  assert.deepEqual(await errorsOf(page), ['is taken', 'is closed'])
  await eventually(() => title.inputValue(), 'Tuna')
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'title')
  await title.fill('Marlin')
  await page.getByText('is taken').waitFor({ state: 'detached' })
  assert.deepEqual(await errorsOf(page), ['is closed'])
  await press(page, 'Dismiss')
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await press(page, 'Save')
  const second = await next()
  assert.deepEqual(second.body, { title: 'Marlin', category: 'whole', notes: '', boat: 'Gannet' })
  await second.answer(null)
  await page.getByText('ready', { exact: true }).waitFor()
  assert.deepEqual(await errorsOf(page), [])
  await press(page, 'Empty')
  await eventually(() => title.inputValue(), '')
})

test('useKeptForm puts what was typed back after a reload, without passwords, until it is saved', async () => {
  await using at = await open('/kept-form')
  const { page } = at
  const [title, frozen] = [page.getByLabel('Title'), page.getByLabel('Frozen')]
  await page.getByText('Fish', { exact: true }).click()
  await title.fill('Tu')
  await page.getByLabel('Category').selectOption('whole')
  await page.getByLabel('Password').fill('secret word')
  await frozen.check()
  assert.doesNotMatch(await stored(page), /secret word/)
  at.page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await title.waitFor()
  await eventually(() => title.inputValue(), 'Tu', 'and the panel that it is in is open')
  await eventually(() => page.getByLabel('Category').inputValue(), 'whole')
  await eventually(() => frozen.isChecked(), true)
  await eventually(() => page.getByLabel('Password').inputValue(), '')
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  await question(page).waitFor()
  await press(page, 'Keep editing')
  await press(page, 'Was saved')
  assert.equal(await stored(page), '')
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  await page.getByRole('heading', { name: 'Elsewhere' }).waitFor()
})

test('useKeptForm empties the form and the storage when its text is discarded', async () => {
  await using at = await open('/kept-form')
  const { page } = at
  await page.getByText('Fish', { exact: true }).click()
  await page.getByLabel('Title').fill('Tu')
  assert.match(await stored(page), /Tu/)
  await press(page, 'Cancel')
  await press(page, 'Discard changes')
  await eventually(() => page.getByLabel('Title').inputValue(), 'Snapper')
  assert.equal(await stored(page), '')
  await page.reload()
  await page.getByText('Fish', { exact: true }).click()
  await eventually(() => page.getByLabel('Title').inputValue(), 'Snapper')
})

test('stored drafts are those of one page, and a storage that is full or damaged loses nothing else', async () => {
  await using at = await open('/kept-form')
  const { page } = at
  const title = page.getByLabel('Title')
  await page.evaluate(() => {
    for (const name of ['/kept-form fish ', '/other fish '])
      window.sessionStorage.setItem(`draft 1 ${name}`, '{"torn')
  })
  await page.reload()
  await page.getByText('Fish', { exact: true }).click()
  await eventually(() => title.inputValue(), 'Snapper')
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await title.fill('Tuna')
  await eventually(() => title.inputValue(), 'Tuna')
  await press(page, 'Was saved')
  assert.equal(await stored(page), 'draft 1 /other fish \n{"torn')
})

test('useDraft keeps what is no field over a reload, and asks before it is left, until it is discarded', async () => {
  await using at = await open('/draft')
  const { page } = at
  await press(page, 'Add a box')
  await page.getByText('B1 B2', { exact: true }).waitFor()
  at.page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await page.getByText('B1 B2', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  await question(page).waitFor()
  await press(page, 'Keep editing')
  await press(page, 'Discard')
  await page.getByText('B1', { exact: true }).waitFor()
  assert.equal(await stored(page), '')
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  await page.getByRole('heading', { name: 'Elsewhere' }).waitFor()
})

test('useCall makes one call at a time and says why it failed; the draft lives until one was answered', async () => {
  await using at = await open('/draft')
  at.expectProblem(/503/)
  const { page } = at
  const next = await requestsOf(page, '/data/fish')
  await press(page, 'Add a box')
  await page.getByRole('button', { name: 'Save' }).dblclick()
  const first = await next()
  assert.deepEqual(first.body, ['B1', 'B2'])
  await page.getByRole('button', { name: 'Saving' }).waitFor()
  await first.reject(503, { code: 'unavailable', message: 'The shop is away.' })
  await page.getByText('The shop is away.').waitFor()
  assert.match(await stored(page), /B2/)
  await press(page, 'Dismiss')
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await press(page, 'Add a box')
  await press(page, 'Save')
  const second = await next()
  assert.deepEqual(second.body, ['B1', 'B2', 'B3'], 'the second press of a double click was the same press')
  await second.answer(null)
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  assert.equal(await stored(page), '')
})

test('DirtyGuard asks before a link or a sort loses what was typed, and discards every dirty form', async () => {
  await using at = await open('/two-forms')
  const { page } = at
  const [first, second] = [page.getByLabel('First'), page.getByLabel('Second')]
  await first.fill('one')
  await second.fill('two')
  for (const link of ['Elsewhere', 'Sort']) {
    await page.getByRole('link', { name: link }).click()
    await press(page, 'Keep editing')
    await question(page).waitFor({ state: 'hidden' })
    assert.deepEqual([await first.inputValue(), await second.inputValue()], ['one', 'two'])
  }
  await page.getByRole('link', { name: 'Sort' }).click()
  await press(page, 'Discard changes')
  await page.waitForURL('**/two-forms?sort=price')
  assert.deepEqual([await first.inputValue(), await second.inputValue()], ['', ''])
  await first.fill('three')
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  await question(page).waitFor()
})

test('DirtyGuard asks before a tab with typed text is closed, and about no form that is gone', async () => {
  await using at = await open('/two-forms')
  const { page } = at
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  await page.getByLabel('First').fill('one')
  await page.reload()
  assert.deepEqual(asked, ['beforeunload'])
  await page.getByLabel('Second').fill('two')
  await press(page, 'Take the second away')
  await page.reload()
  assert.deepEqual(asked, ['beforeunload'])
})
