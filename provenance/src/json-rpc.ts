import { isPlainObject } from './canonical.ts'
import { LedgerError } from './ledger.ts'

/** The part of `fetch` that is used here; the platform's own fits. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'POST'
    readonly headers: Record<string, string>
    readonly body: string
    readonly credentials: 'omit'
    readonly redirect: 'error'
    readonly signal: AbortSignal
  },
) => Promise<{
  readonly ok: boolean
  readonly status: number
  readonly headers: { get(name: string): string | null }
  readonly body: ReadableStream<Uint8Array> | null
}>

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Sends calls and answers their results, in order. @throws LedgerError when one fails or the answer is nonsense */
export type Send = (calls: readonly RpcCall[]) => Promise<unknown[]>

/** How long a node is given. */
export interface RpcTimes {
  /** For one request; 10 s by default. */
  readonly timeoutMs?: number
  /** Total time to wait after responses with status 429; by default the first one fails. */
  readonly waitMs?: number
}

/** Calls in one request; public nodes refuse more. */
export const BATCH_SIZE = 50
/** Requests on their way at a time: a box with hundreds of anchors needs several batches. */
export const AT_ONCE = 4
/** Longest answer to one request that is read, in bytes. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** JSON-RPC 2.0 over HTTP in batches. */
export function jsonRpc(url: string, fetch: Fetch, { timeoutMs = 10_000, waitMs = 0 }: RpcTimes): Send {
  const wait = waitsOf(waitMs)
  const sendUntilTaken = async (batch: RpcCall[]): Promise<unknown[]> => {
    for (;;)
      try {
        return await sendBatch(url, fetch, timeoutMs, batch)
      } catch (error) {
        if (!(error instanceof TooManyRequests)) throw error
        await wait(error)
      }
  }
  return async (calls) => {
    const batches = batched(calls, BATCH_SIZE)
    const results: unknown[][] = []
    for (const some of batched(batches, AT_ONCE))
      results.push(...(await Promise.all(some.map(sendUntilTaken))))
    return results.flat()
  }
}

class TooManyRequests extends LedgerError {
  readonly afterMs: number

  constructor(retryAfter: string | null) {
    super('the node answered with HTTP status 429')
    this.afterMs = retryAfterMs(retryAfter)
  }
}

const MIN_WAIT_MS = 1_000

/** From seconds or a date; the minimum when there is neither. Source: RFC 9110 §10.2.3. */
function retryAfterMs(retryAfter: string | null): number {
  const text = retryAfter ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? MIN_WAIT_MS : Math.max(MIN_WAIT_MS, ms)
}

/** Waits as a 429 response asks; requests rejected at the same time wait together. Throws its error when no time is left. */
function waitsOf(totalMs: number): (error: TooManyRequests) => Promise<void> {
  let leftMs = totalMs
  let waiting: Promise<void> | undefined
  return async (error) => {
    if (waiting === undefined) {
      if (error.afterMs > leftMs) throw error
      leftMs -= error.afterMs
      waiting = new Promise<void>((resolve) => setTimeout(resolve, error.afterMs)).finally(() => {
        waiting = undefined
      })
    }
    await waiting
  }
}

/** In their order, at most `size` in each. */
export const batched = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

async function sendBatch(url: string, fetch: Fetch, timeoutMs: number, calls: RpcCall[]): Promise<unknown[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const headers = { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    // Whoever is sent elsewhere no longer knows whom it asked.
    const init = { method: 'POST', headers, body, credentials: 'omit', redirect: 'error', signal } as const
    const answer = await fetch(url, init)
    if (answer.status === 429) throw new TooManyRequests(answer.headers.get('retry-after'))
    if (!answer.ok) throw new LedgerError(`the node answered with HTTP status ${answer.status}`)
    return resultsOf(JSON.parse(await readText(answer.body)), calls)
  } catch (cause) {
    if (cause instanceof LedgerError) throw cause
    throw new LedgerError(whyFailed(cause, timeoutMs), { cause })
  }
}

function whyFailed(cause: unknown, timeoutMs: number): string {
  if (cause instanceof SyntaxError) return 'the node did not answer with JSON'
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return `the node did not answer in ${timeoutMs} ms`
  return 'the node could not be reached'
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let chunk = await reader?.read(); chunk?.value; chunk = await reader?.read()) {
    bytes += chunk.value.byteLength
    if (bytes > MAX_ANSWER_BYTES) {
      await reader?.cancel()
      throw new LedgerError('the node answered with more than can be right')
    }
    text += decoder.decode(chunk.value, { stream: true })
  }
  return text
}

/** Answers of a batch may come in any order; each call must have exactly one. Source: JSON-RPC 2.0 §6. */
function resultsOf(answer: unknown, calls: readonly RpcCall[]): unknown[] {
  if (!Array.isArray(answer) || answer.length !== calls.length)
    throw new LedgerError('the node did not answer every call of the batch')
  const byId = new Map(answer.filter(isPlainObject).map((item) => [item.id, item]))
  return calls.map(({ method }, id) => {
    const item = byId.get(id)
    if (item === undefined || !Object.hasOwn(item, 'result') || Object.hasOwn(item, 'error'))
      throw new LedgerError(`the node refused ${method}${errorText(item?.error)}`)
    return item.result
  })
}

const errorText = (error: unknown): string =>
  isPlainObject(error) && typeof error.message === 'string' ? `: ${error.message.slice(0, 200)}` : ''
