import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { type Visit, visit } from '../support/browser.ts'
import { requestsOf, serveHookPages } from '../support/hook-pages.ts'
import { eventually } from '../support/within.ts'

let pages: Awaited<ReturnType<typeof serveHookPages>>
before(async () => {
  pages = await serveHookPages()
})
after(() => pages[Symbol.asyncDispose]())

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

const pageOf = <Row>(...rows: Row[]) => ({ rows, page: 1, size: 50, total: rows.length })

/** Opens a page whose first reading of `path` is answered by `json`; later ones as `now.json` says. */
async function openWith(path: string, data: string, json: unknown) {
  const now = { json, times: 0 }
  const at: Visit = await visit(`${pages.url}/elsewhere`)
  await at.page.route(`**${data}`, (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    now.times += 1
    return route.fulfill({ json: now.json })
  })
  await at.page.goto(`${pages.url}${path}`)
  return { ...at, now }
}

test('useTyped tells what is typed, counts files as lost, and puts the rest into a form that begins anew', async () => {
  await using at = await visit(`${pages.url}/typed`)
  const { page } = at
  const told = async () => JSON.parse((await page.locator('output').textContent()) ?? '')
  const image = { key: 'a.webp', src: '', name: 'a.webp', alt: '', path: 'a.webp', file: null }
  const before = {
    texts: [
      ['title', 'Snapper'],
      ['frozen', false],
    ],
    images: [image],
    lost: 0,
  }
  assert.deepEqual(await told(), before, 'also before anything is typed')
  await page.getByLabel('Title').fill('Tuna')
  await page.getByLabel('Frozen').check()
  await press(page, 'Choose a file')
  await page.getByText('a.webp b.webp').waitFor()
  const texts = [
    ['title', 'Tuna'],
    ['frozen', true],
  ]
  assert.deepEqual(await told(), { texts, images: [image], lost: 1 })
  await press(page, 'Begin anew')
  await eventually(() => page.getByLabel('Title').inputValue(), 'Tuna')
  await eventually(() => page.getByLabel('Frozen').isChecked(), true)
  assert.deepEqual(await told(), { texts, images: [image], lost: 1 })
})

const fish = (title: string, stock: number, version = 1) => ({
  _id: title.toLowerCase(),
  version,
  status: 'DISABLED',
  title,
  stock,
})
const list = () => openWith('/list', '/data/rows', pageOf(fish('Tuna', 4), fish('Snapper', 9)))

/** The form of a row that is in sight. */
const stockField = (page: Page) => page.getByLabel('Stock').and(page.locator(':visible'))

const startEdit = async (page: Page, title: string, stock: string) => {
  await press(page, `Edit ${title}`)
  await stockField(page).fill(stock)
}

test('useManagedList shows a change before the shop has answered, and what it answered after it', async () => {
  await using at = await list()
  const { page } = at
  const next = await requestsOf(page, '/data/rows/')
  await startEdit(page, 'Tuna', '7')
  await press(page, 'Save')
  await page.getByText('7 in stock').waitFor()
  const save = await next()
  assert.deepEqual([save.method, save.body], ['PATCH', { version: 1, body: { stock: 7 } }])
  at.now.json = pageOf(fish('Tuna', 8, 2))
  await save.answer(fish('Tuna', 8, 2))
  await page.getByText('Saved Tuna.').waitFor()
  await page.getByText('8 in stock').waitFor()
  await page.getByText('1 in all').waitFor()
})

test('useManagedList says that nothing was changed, and calls nobody', async () => {
  await using at = await list()
  await press(at.page, 'Edit Tuna')
  await press(at.page, 'Save')
  await at.page.getByText('Nothing of Tuna was changed.').waitFor()
})

test('useManagedList keeps a draft after a failed save, beside another that is open, until it is saved', async () => {
  await using at = await list()
  at.expectProblem(/503/)
  const { page } = at
  const next = await requestsOf(page, '/data/rows/')
  await startEdit(page, 'Tuna', '7')
  await press(page, 'Save')
  await press(page, 'Edit Snapper')
  await (await next()).reject(503, { code: 'unavailable', message: 'The shop is away.' })
  await page.getByText('4 in stock').waitFor()
  await page.getByText('The shop is away.').waitFor()
  await page.getByText('not saved').waitFor()
  await eventually(() => stockField(page).inputValue(), '9')
  await page.getByRole('link', { name: 'Elsewhere' }).click()
  await press(page, 'Keep editing')
  await press(page, 'Edit Tuna')
  await eventually(() => stockField(page).inputValue(), '7')
  await press(page, 'Save')
  const again = await next()
  at.now.json = pageOf(fish('Tuna', 7, 2), fish('Snapper', 9))
  await again.answer(fish('Tuna', 7, 2))
  await page.getByText('Saved Tuna.').waitFor()
  await eventually(() => page.getByText('not saved').count(), 0)
})

test('useManagedList saves over what others changed elsewhere in a row, and shows where both changed the same', async () => {
  await using at = await list()
  at.expectProblem(/409/)
  const { page } = at
  const next = await requestsOf(page, '/data/rows/')
  const stale = (current: object) => ({ code: 'version.stale', message: 'Somebody was faster.', current })
  await startEdit(page, 'Tuna', '7')
  await press(page, 'Save')
  await (await next()).reject(409, stale({ ...fish('Tuna', 4, 2), title: 'Bluefin' }))
  const over = await next()
  assert.deepEqual(over.body, { version: 2, body: { stock: 7 } }, 'at once, and without the title')
  await over.reject(409, stale({ ...fish('Tuna', 5, 3), title: 'Bluefin' }))
  await page.getByText('Somebody was faster.').first().waitFor()
  await page.getByText('5 in stock').waitFor()
})

test('useManagedList takes a row off while it is deleted, and shows it again when that fails', async () => {
  await using at = await list()
  at.expectProblem(/503/)
  const { page } = at
  const next = await requestsOf(page, '/data/rows/')
  await press(page, 'Delete Tuna')
  await press(page, 'Delete for good')
  await page.getByText('1 in all').waitFor()
  await eventually(() => page.getByText('4 in stock').count(), 0)
  await (await next()).reject(503, { code: 'unavailable', message: 'The shop is away.' })
  await page.getByText('4 in stock').waitFor()
  await page.getByText('2 in all').waitFor()
  await press(page, 'Delete Tuna')
  await press(page, 'Delete for good')
  const second = await next()
  assert.equal(second.method, 'DELETE')
  await second.answer(null)
  await page.getByText('Deleted Tuna.').waitFor()
  await eventually(
    () => page.getByText('4 in stock').count(),
    0,
    'although the list is read with it once more',
  )
})

test('useManagedList changes many rows at once, and takes that back when it fails', async () => {
  await using at = await list()
  at.expectProblem(/503/)
  const { page } = at
  const next = await requestsOf(page, '/data/empty')
  await press(page, 'Empty all')
  await page.getByText('0 in stock').first().waitFor()
  await (await next()).reject(503, { code: 'unavailable', message: 'The shop is away.' })
  await page.getByText('4 in stock').waitFor()
  await press(page, 'Empty all')
  at.now.json = pageOf(fish('Tuna', 0, 2), fish('Snapper', 0, 2))
  await (await next()).answer([fish('Tuna', 0, 2), fish('Snapper', 0, 2)])
  await page.getByText('0 in stock').first().waitFor()
  await eventually(() => page.getByText('0 in stock').count(), 2)
})

test('useDrafts puts drafts back after a reload with the open one open, and forgets one that is discarded', async () => {
  await using at = await list()
  const { page } = at
  page.on('dialog', (dialog) => dialog.accept())
  await startEdit(page, 'Tuna', '7')
  await startEdit(page, 'Snapper', '1')
  await page.reload()
  await page.getByText('not saved').and(page.locator(':visible')).waitFor()
  await eventually(() => stockField(page).inputValue(), '1')
  await press(page, 'Cancel')
  await press(page, 'Discard changes')
  await press(page, 'Edit Tuna')
  await eventually(() => stockField(page).inputValue(), '7')
  await page.reload()
  await page.getByText('9 in stock').waitFor()
  await eventually(() => stockField(page).inputValue(), '7')
  const stored = await page.evaluate(() => Object.keys(window.sessionStorage))
  assert.deepEqual(stored, ['draft 1 /list row tuna'])
})

const mail = (id: string, state: string) => ({
  _id: id,
  to: `${id}@example.net`,
  letter: 'Activation',
  askedAt: '2026-11-22T00:00:00Z',
  tries: 3,
  lastError: 'no answer',
  state,
  nextTryAt: null,
  expired: false,
})

test('useFailedEmails follows an email that is sent again until it is sent, or has failed again', async () => {
  await using at = await openWith(
    '/mail',
    '/data/mail',
    pageOf(mail('ann', 'waiting'), mail('bob', 'waiting')),
  )
  const { page, now } = at
  const next = await requestsOf(page, '/api/manage/mail/')
  const email = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await email('ann').getByRole('button', { name: 'Send again' }).click()
  await email('ann@example.net: due, under way').waitFor()
  const first = await next()
  assert.deepEqual([first.method, first.url.pathname], ['POST', '/api/manage/mail/ann/again'])
  now.json = pageOf(mail('ann', 'sending'), mail('bob', 'waiting'))
  await first.answer(mail('ann', 'due'))
  await email('ann@example.net: sending').waitFor()
  await eventually(() => page.getByRole('status').textContent(), '')
  now.json = pageOf(mail('bob', 'waiting'))
  await page.getByText('Sent: Activation to ann@example.net.').waitFor()
  const { times } = now
  await email('bob').getByRole('button', { name: 'Send again' }).click()
  const second = await next()
  now.json = pageOf(mail('bob', 'given up'))
  await second.answer(mail('bob', 'due'))
  await page.getByText('It failed again: Activation to bob@example.net.').waitFor()
  assert.ok(now.times > times)
})

test('useFailedEmails takes an email away at once, puts it back when that fails, and counts what is sent', async () => {
  await using at = await openWith(
    '/mail',
    '/data/mail',
    pageOf(mail('ann', 'waiting'), mail('bob', 'waiting')),
  )
  at.expectProblem(/503/)
  const { page, now } = at
  const next = await requestsOf(page, '/api/manage/mail/')
  const giveUp = page.getByRole('button', { name: 'Give up' }).first()
  await giveUp.click()
  await page.getByText('1 in all').waitFor()
  await (await next()).reject(503, { code: 'unavailable', message: 'The shop is away.' })
  await page.getByText('The shop is away.').waitFor()
  await page.getByText('2 in all').waitFor()
  await giveUp.click()
  const second = await next()
  assert.deepEqual([second.method, second.url.pathname], ['DELETE', '/api/manage/mail/ann'])
  now.json = pageOf(mail('bob', 'waiting'))
  await second.answer(null)
  await page.getByText('Discarded: Activation to ann@example.net.').waitFor()
  await eventually(() => page.getByRole('alert').count(), 0)
  await press(page, 'Send all')
  await (await next()).answer({ count: 1 })
  await page.getByText('Sending 1 email again.').waitFor()
})

test('useNear sees a part that came near while the page was busy', async () => {
  const noticesInPairs = async (context: BrowserContext): Promise<void> => {
    await context.addInitScript(() => {
      window.IntersectionObserver = class extends IntersectionObserver {
        constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
          let kept: IntersectionObserverEntry[] = []
          super((entries, observer) => {
            kept = [...kept, ...entries]
            document.documentElement.dataset.notices = `${kept.length}`
            if (kept.length > 1) tell(kept.splice(0), observer)
          }, options)
        }
      }
    })
  }
  await using at = await visit(`${pages.url}/near`, { prepare: noticesInPairs })
  const { page } = at
  await page.locator('[data-notices="1"]').waitFor()
  await page.getByText('far', { exact: true }).waitFor()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.getByText('near', { exact: true }).waitFor()
})
