import autocannon from 'autocannon'

export type Load = { perSecond: number; p99Ms: number; failed: number; bytes: number }

const CONNECTIONS = 20
const SECONDS = 4

/** Asks `url` from 20 connections for four seconds, after one second that does not count. */
export async function load(url: string, headers: Record<string, string> = {}): Promise<Load> {
  const ask = { url, connections: CONNECTIONS, headers: { 'accept-encoding': 'br', ...headers } }
  await autocannon({ ...ask, duration: 1 })
  const result = await autocannon({ ...ask, duration: SECONDS })
  return {
    perSecond: result.requests.average,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
    bytes: Math.round(result.throughput.total / Math.max(1, result.requests.total)),
  }
}
