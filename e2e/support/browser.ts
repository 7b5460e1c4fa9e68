import assert from 'node:assert/strict'
import { after } from 'node:test'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type VisitOptions, withConditions } from './conditions.ts'
import { beginTrace, takeLast } from './on-failure.ts'
import { slowLine } from './slow-line.ts'

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
