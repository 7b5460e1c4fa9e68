import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { untilHydrated, visit } from '../support/browser.ts'
import { assertAccessibleAcross, press } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { until } from '../support/within.ts'

/*
 * What the page of restores says in states that last for moments, or that take several processes: the shop's answers about
 * restores are made up here. That the shop gives such answers is in server/src/backup/welcome and restore-bare.e2e.ts.
 */
const LINK = 'A'.repeat(43)
const [HERE, ELSEWHERE] = ['place-of-this-process', 'place-of-another-process']
const BACKUP_BYTES = 5 * 1024 * 1024

type Json = Record<string, unknown>
const idle: Json = {
  ...{
    refused: null,
    place: HERE,
    maxBytes: 2e9,
    freeBytes: 1e9,
    upload: null,
    progress: null,
    outcome: null,
  },
}
const upload = { id: 'x', name: 'shop.backup', bytes: BACKUP_BYTES, received: BACKUP_BYTES, encrypted: true }
const restoring = (rows: number): Json => ({
  ...{ step: 'restoring', since: '2026-11-29T08:00:00.000Z', rows, about: 5_000, objects: 3, bytes: 9 },
})
const ended = (ok: boolean, words: string, more: Json = {}): Json => ({
  ...{ at: '2026-11-29T08:00:00.000Z', ok, words: [words], ...more },
})
const refused = (code: string, message: string, more: Json = {}): Json => ({
  error: { code, message, ...more },
})

const open = await startServer({ env: { SAMPLE_DATA: 'off' } })
test.after(() => open[Symbol.asyncDispose]())

/** The page, with answers in turn: the last one goes on. */
async function pageWith(...answers: Json[]) {
  const at = await visit(`${open.url}/healthz`)
  const { page } = at
  at.expectProblem(/status of (400|409|503)/)
  let given = answers
  const answer = (route: Route): Promise<void> => {
    const body = given.length > 1 ? given.shift() : given[0]
    const status = body?.error === undefined ? 200 : 400
    return route.fulfill({ status, json: body })
  }
  await page.route('**/api/restore', (route) =>
    route.request().method() === 'GET' ? answer(route) : route.fallback(),
  )
  await page.goto(`${open.url}/user/restore/${LINK}`)
  await untilHydrated(page)
  return {
    ...at,
    /** What is answered from now on. */
    answers: (...next: Json[]) => {
      given = next
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  }
}

const bar = (page: Page) => page.getByRole('progressbar', { name: 'Rows' })
const notice = (page: Page) => page.getByText('Another process of this shop answers too')

test('of a process with another DATA_DIR the page says so, and goes on with what the first one says', async () => {
  await using at = await pageWith({ ...idle, upload, progress: restoring(1_000) })
  const { page } = at
  await bar(page).waitFor()
  at.answers({ ...idle, place: ELSEWHERE })
  await notice(page).waitFor()
  assert.equal(await bar(page).getAttribute('value'), '1000', 'the bar stays where it was')
  assert.equal(await page.getByRole('button', { name: 'Begin again' }).count(), 0, 'it goes on')
  await saveScreenshot(page, 'restore-elsewhere')
  await assertAccessibleAcross(page)
  const other = { ...idle, place: ELSEWHERE }
  const unknown = refused('token.invalid', 'This link is not valid.', { place: ELSEWHERE })
  at.answers({ ...idle, progress: restoring(2_000) }, other, unknown, { ...idle, progress: restoring(3_000) })
  const seen = new Set<string>()
  await until(30, 'the first one is heard again', async () => {
    seen.add(String(await bar(page).getAttribute('value')))
    assert.equal(await notice(page).count(), 1, 'the notice stays')
    return seen.has('3000')
  })
  at.answers({ ...idle, outcome: ended(true, 'The shop of yesterday: 5,000 rows and 3 files.') })
  await page.getByText('The shop is restored.').waitFor()
  assert.equal(await notice(page).count(), 0)
})

test('loaded again, the page still belongs to the process that has its file, until it begins again', async () => {
  await using at = await pageWith({ ...idle, upload })
  const { page } = at
  await page.getByRole('button', { name: 'Restore the shop' }).waitFor()
  at.answers({ ...idle, place: ELSEWHERE })
  await page.reload()
  await untilHydrated(page)
  await notice(page).waitFor()
  assert.equal(
    await page.getByLabel('File of a backup').count(),
    0,
    'nothing is sent to the other by mistake',
  )
  at.answers({ ...idle, upload })
  await page.getByRole('button', { name: 'Restore the shop' }).waitFor()
  at.answers({ ...idle, place: ELSEWHERE })
  await press(page, 'Begin again')
  await page.getByLabel('File of a backup').waitFor()
  assert.equal(await notice(page).count(), 0)
})

test('a press that another process answers is no failure of the file, and one that comes too late shows what is so', async () => {
  await using at = await pageWith({ ...idle, upload: { ...upload, encrypted: false } })
  const { page } = at
  let said = refused('conflict', 'Another process.', { reason: 'place' })
  let headers: Record<string, string> = {}
  await page.route('**/api/restore', (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    headers = route.request().headers()
    return route.fulfill({ status: 409, json: said })
  })
  await press(page, 'Restore the shop')
  await notice(page).waitFor()
  assert.equal(headers['restore-place'], HERE)
  said = refused('conflict', 'The backup is being restored already.')
  at.answers({ ...idle, progress: restoring(700) })
  await press(page, 'Restore the shop')
  await bar(page).waitFor()
  assert.equal(await bar(page).getAttribute('value'), '700')
})

test('what was ended at its last step is neither restored nor left, until the next start says which', async () => {
  await using at = await pageWith({ ...idle, progress: restoring(4_000) })
  const { page } = at
  await bar(page).waitFor()
  const words =
    'The process that restored was ended at its last step. The next start of the shop finishes it.'
  at.answers({ ...idle, outcome: ended(false, words, { isOpen: true }) })
  await page.getByText('Whether the shop is restored is not known yet.').waitFor()
  assert.equal(await page.getByText('Nothing was restored').count(), 0)
  await saveScreenshot(page, 'restore-open')
  await assertAccessibleAcross(page)
  at.answers({ ...idle, outcome: ended(true, 'The shop of yesterday: 5,000 rows and 3 files.') })
  await page.getByText('The shop is restored.').waitFor()
})

test('who only watched is told that the link is of the shop before, not that it was wrong', async () => {
  await using at = await pageWith({ ...idle, progress: restoring(4_000) })
  const { page } = at
  await bar(page).waitFor()
  at.answers(refused('token.invalid', 'This link is not valid.', { place: HERE }))
  await page.getByText('it is another shop now').waitFor()
  assert.equal(await page.getByText('This link is not valid.').count(), 0)
  await saveScreenshot(page, 'restore-watched')
  await assertAccessibleAcross(page)
})

test('sending is paused at once where nobody answers, and goes on by a press', async () => {
  await using at = await pageWith(idle)
  const { page } = at
  at.expectProblem(/ERR_FAILED|request failed/)
  const part = { ...upload, received: 2 * 1024 * 1024 }
  let isAway = false
  await page.route('**/api/restore/upload', (route) => route.fulfill({ json: part }))
  await page.route('**/api/restore/upload/**', async (route) => {
    if (isAway) return route.abort()
    isAway = true
    await route.fulfill({ json: { ...upload, received: 4 * 1024 * 1024 } })
  })
  const file = {
    name: 'shop.backup',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(BACKUP_BYTES),
  }
  await page.getByLabel('File of a backup').setInputFiles(file)
  await page.getByText('There is no answer right now: it goes on by itself').waitFor()
  await page.waitForTimeout(4_000) // pauses have grown to several seconds
  const pressed = performance.now()
  await press(page, 'Pause')
  await page.getByRole('button', { name: 'Go on' }).waitFor()
  assert.ok(performance.now() - pressed < 2_000, 'it does not wait for the next try')
  await saveScreenshot(page, 'restore-paused')
  await page.unroute('**/api/restore/upload/**')
  await page.route('**/api/restore/upload/**', (route) => route.fulfill({ json: upload }))
  await press(page, 'Go on')
  await page.getByRole('button', { name: 'Restore the shop' }).waitFor()
})
