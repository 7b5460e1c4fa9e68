import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { within } from './within.ts'

/** A phone's browser with storage that outlives it. Use with `await using`: it is killed. */
export type Phone = AsyncDisposable & { context: BrowserContext; page: Page }

const START_S = 60
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
]

/**
 * Starts Chromium on a profile of its own, so that it can be killed like a phone whose battery dies.
 * @param folder its storage; the same again goes on with what was kept
 */
export async function startPhone(folder: string): Promise<Phone> {
  const program = process.env.CHROMIUM ?? '/usr/bin/chromium'
  const args = [...flags, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const ended = once(child, 'exit')
  const address = (async () => {
    for await (const line of createInterface({ input: child.stderr })) {
      const found = /DevTools listening on (\S+)/.exec(line)?.[1]
      if (found) return found
    }
    throw new Error('the browser did not start')
  })()
  const browser = await chromium.connectOverCDP(await within(START_S, 'the browser starts', address))
  child.stderr.resume()
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('a browser without a window')
  context.setDefaultTimeout(60_000)
  const page = context.pages()[0] ?? (await context.newPage())
  await page.setViewportSize({ width: 360, height: 740 })
  return {
    context,
    page,
    [Symbol.asyncDispose]: async () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, 'SIGKILL')
      await ended
    },
  }
}
