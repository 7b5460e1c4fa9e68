import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type VisitOptions, withConditions } from './conditions.ts'
import { slowLine } from './slow-line.ts'
import { within } from './within.ts'

/** One visitor’s browser, with cookies and storage of its own. Use with `await using`. */
export type Visit = AsyncDisposable & {
  page: Page
  context: BrowserContext
  /** Problems in the browser so far: console errors, page errors, failed requests, requests to other sites. */
  problems: string[]
  /** Problems whose text matches are expected in this test. */
  expectProblem(pattern: RegExp): void
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** `prepare` is done before the first page is opened, as to sign in. */
type Options = VisitOptions & { prepare?: (context: BrowserContext) => Promise<void> }

/** Generous, for busy machines. */
const WAIT_MS = 60_000
let browser: Promise<Browser> | undefined

after(async () => (await browser)?.close())

/**
 * Opens a browser window on `url`, by default at the width of a small phone and in the journey's conditions.
 * At the end of the block every problem that was not expected fails the test. Of a test that fails, pictures of its pages
 * are kept, with `TRACES=1` a trace, too, in a folder that is printed.
 */
export async function visit(url: string, { prepare, ...options }: Options = {}): Promise<Visit> {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags })
  const { network, ...settings } = withConditions(options)
  await using opening = new AsyncDisposableStack()
  const line = network === 'slow' ? opening.use(await slowLine()) : undefined
  const context = await (await browser).newContext({
    ...(line && { proxy: { server: line.url } }),
    viewport: { width: 390, height: 844 },
    locale: 'en-AU',
    baseURL: url,
    ...settings,
  })
  context.setDefaultTimeout(WAIT_MS)
  await beginTrace(context)
  await prepare?.(context)
  const page = await context.newPage()
  const problems: string[] = []
  const expected: RegExp[] = []
  context.on('page', (other) => watch(other, url, problems))
  watch(page, url, problems)
  await page.goto(url)
  const opened = opening.move()
  return {
    page,
    context,
    problems,
    expectProblem: (pattern) => expected.push(pattern),
    [Symbol.asyncDispose]: async () => {
      // An answer that is still on its way through a route's handler has nobody left to wait for it.
      for (const open of context.pages()) await open.unrouteAll({ behavior: 'ignoreErrors' })
      await takeLast(context)
      await context.close()
      await opened.disposeAsync()
      const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))
      assert.deepEqual(unexpected, [], 'the browser met problems')
    },
  }
}

/** Waits until the page is hydrated: a link clicked before loads a new document. */
export async function untilHydrated(page: Page): Promise<void> {
  // Not by frames, of which a page that is not in front may draw none.
  const byClock = { polling: 100 }
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0, undefined, byClock)
}

/** Delays the page's requests for these URLs until the returned function is called. */
export async function pauseRequests(page: Page, addresses: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(addresses, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

function watch(page: Page, url: string, problems: string[]): void {
  const origin = new URL(url).origin
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    if (reason !== 'net::ERR_ABORTED')
      problems.push(`request failed: ${request.method()} ${request.url()} ${reason}`)
  })
  page.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url())
    if (protocol.startsWith('http') && target !== origin)
      problems.push(`request to elsewhere: ${request.url()}`)
  })
}

/** A page that hangs gives no picture. */
const PICTURE_S = 5

/** Pictures and traces of the visits of the test that runs: whether it fails is known only when they are over. */
let taken: string[] = []
let folder: Promise<string> | undefined
let kept = 0
let visits = 0

afterEach(async (test) => {
  const files = taken
  taken = []
  if ('passed' in test && test.passed) return void (await Promise.all(files.map((file) => rm(file))))
  kept += files.length
  if (files.length > 0) process.stderr.write(`What its pages showed and did:\n${files.join('\n')}\n`)
})

after(async () => {
  if (folder !== undefined && kept === 0) await rm(await folder, { recursive: true, force: true })
})

/** A file in the folder of this process, outside of the repository. It is made when there is something to put into it. */
async function fileFor(name: string): Promise<string> {
  folder ??= mkdtemp(join(tmpdir(), 'befaqt-failed-'))
  return join(await folder, name)
}

/** A trace of all that a visit asks for, does and shows costs each visit a sixth of a second: only with `TRACES=1`. */
const isTraced = process.env.TRACES !== undefined

async function beginTrace(context: BrowserContext): Promise<void> {
  if (isTraced) await context.tracing.start({ snapshots: true, screenshots: true, sources: true })
}

/** Takes a picture of each page of a visit, and its trace if there is one, and keeps them if its test fails. Call it before it is closed. */
async function takeLast(context: BrowserContext): Promise<void> {
  visits += 1
  const name = `visit-${visits}`
  for (const [i, page] of context.pages().entries())
    await take(`${name}-page-${i + 1}.png`, (path) => page.screenshot({ path, timeout: PICTURE_S * 1_000 }))
  if (isTraced) await take(`${name}.trace.zip`, (path) => context.tracing.stop({ path }))
}

/** What can't be taken, such as of a page that the test closed, is left out: it says nothing about the test. */
async function take(name: string, write: (path: string) => Promise<unknown>): Promise<void> {
  const path = await fileFor(name)
  const isTaken = await within(2 * PICTURE_S, name, write(path)).then(
    () => true,
    () => false,
  )
  if (isTaken) taken.push(path)
}

const shots = join(import.meta.dirname, '../shots')

/** Painting a whole page takes a second or two, which nobody waits for who does not look at it. */
const wanted = process.env.SCREENSHOTS !== undefined

/** With `SCREENSHOTS=1` saves a screenshot of the whole page as `e2e/shots/NAME.png`, for people to look at. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (wanted) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
}
