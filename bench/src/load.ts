import autocannon, { type Options } from 'autocannon'
import { percentile } from './percentile.ts'
import { cpuMs } from './shop.ts'
import { isSmoke } from './sized.ts'

/** Requests a second, and their latency in milliseconds: median, 95th and 99th percentile. */
export type Load = {
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  failed: number
  /** Bytes of a response as sent, headers included. */
  bytes: number
  /** CPU time of the server process per response; 0 when its pid is unknown. */
  cpuMs: number
}

const CONNECTIONS = 20
const SECONDS = 4
/** What browsers request. */
const ENCODINGS = { 'accept-encoding': 'gzip, deflate, br, zstd' }

/**
 * Loads `url` from that many connections for four seconds, after a warm-up of one second.
 * @param pid the server process, to measure its CPU time
 */
export async function load(
  url: string,
  headers: Record<string, string> = {},
  connections = CONNECTIONS,
  pid?: number,
): Promise<Load> {
  const ask = { url, connections, headers: { ...ENCODINGS, ...headers } }
  if (!isSmoke) await autocannon({ ...ask, duration: 1 })
  return measured(ask, pid)
}

/** The same with another path for every request and without warm-up, so that nothing is cached. */
export const loadEach = (
  url: string,
  nextPath: () => string,
  connections = CONNECTIONS,
  pid?: number,
): Promise<Load> =>
  measured(
    {
      url,
      connections,
      headers: ENCODINGS,
      requests: [{ setupRequest: (request) => ({ ...request, path: nextPath() }) }],
    },
    pid,
  )

/** A request of its own each time, such as an order. */
export type NextRequest = () => { headers: Record<string, string>; body: object }

/** Posts a new request each time to `url`, after a warm-up of one second. */
export async function loadPosts(
  url: string,
  next: NextRequest,
  connections = CONNECTIONS,
  pid?: number,
): Promise<Load> {
  const setupRequest: NonNullable<Options['requests']>[number]['setupRequest'] = (request) => {
    const { headers, body } = next()
    return {
      ...request,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }
  }
  const ask: Options = { url, connections, method: 'POST', requests: [{ setupRequest }] }
  if (!isSmoke) await autocannon({ ...ask, duration: 1 })
  return measured(ask, pid)
}

async function measured(ask: Options, pid?: number): Promise<Load> {
  const before = pid === undefined ? 0 : await cpuMs(pid)
  const times: number[] = []
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const length = isSmoke ? { amount: ask.connections ?? 1, sampleInt: 20 } : { duration: SECONDS }
  const asking = autocannon({ ...ask, ...length }, (error, result) =>
    error ? reject(error) : resolve(result),
  )
  asking.on('response', (_client, _status, _bytes, ms) => times.push(ms)) // to the microsecond, unlike the result's
  const result = await promise
  const spent = pid === undefined ? 0 : (await cpuMs(pid)) - before
  const within = (share: number): number => percentile(times, share)
  return {
    perSecond: result.requests.average,
    p50Ms: within(0.5),
    p95Ms: within(0.95),
    p99Ms: within(0.99),
    failed: result.non2xx + result.errors,
    bytes: Math.round(result.throughput.total / Math.max(1, result.requests.total)),
    cpuMs: spent / Math.max(1, result.requests.total),
  }
}
