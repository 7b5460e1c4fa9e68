import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page, Route } from 'playwright-core'
import { within } from './within.ts'

const program = join(import.meta.dirname, '../../web/testing/serve.ts')

/** Starts the pages that show hooks by themselves (`web/testing`). Use with `await using`. */
export async function serveHookPages(): Promise<AsyncDisposable & { url: string }> {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const firstLine = once(createInterface(child.stdout), 'line')
  const failed = ended.then(([status]): never => {
    throw new Error(`web/testing/serve.ts ended with status ${status}`)
  })
  const [url]: string[] = await within(120, 'the pages of hooks are built', Promise.race([firstLine, failed]))
  failed.catch(() => undefined)
  const close = async (): Promise<void> => {
    child.kill()
    await ended
  }
  return { url: url ?? '', [Symbol.asyncDispose]: close }
}

/** One request of a page, which a test answers when it likes. */
export type Asked = {
  url: URL
  method: string
  body: unknown
  answer(json: unknown): Promise<void>
  /** Answers as the shop does when it rejects something. */
  reject(status: number, error: { code: string; message: string } & Record<string, unknown>): Promise<void>
}

const asked = (route: Route): Asked => {
  const request = route.request()
  const answer = (status: number, json: unknown) => route.fulfill({ status, json })
  return {
    url: new URL(request.url()),
    method: request.method(),
    body: JSON.parse(request.postData() ?? 'null'),
    answer: (json) => answer(200, json),
    reject: (status, error) => answer(status, { error }),
  }
}

/** The requests of a page whose paths begin like this, in their order: `await next()` is the next one. */
export async function requestsOf(page: Page, path: string): Promise<() => Promise<Asked>> {
  const come: Asked[] = []
  const awaited: ((request: Asked) => void)[] = []
  await page.route(`**${path}**`, (route) => {
    const request = asked(route)
    const waiting = awaited.shift()
    if (waiting) waiting(request)
    else come.push(request)
  })
  return () => {
    const { promise, resolve } = Promise.withResolvers<Asked>()
    const first = come.shift()
    if (first) resolve(first)
    else awaited.push(resolve)
    return within(60, `a request to ${path}`, promise)
  }
}
