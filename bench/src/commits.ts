/**
 * What it costs that others hear of a change: `node bench/src/commits.ts [listeners] [seconds]`. Commits a second of 16
 * writers in two processes' pools on PostgreSQL with durable commits, each of a row and its event, without and with
 * sessions that listen; and what it was with a NOTIFY in each transaction. Budget: 80 % of what it is without listeners.
 */
import pg from 'pg'
import { type Database, notify, type Tx } from '../../server/src/db/client.ts'
import { appendEvent, EVENTS_CHANNEL, eventKinds } from '../../server/src/db/events.ts'
import { openPostgres } from '../../server/src/db/postgres.ts'
import { startPostgres } from '../../tools/test/private-postgres.ts'
import { sized } from './sized.ts'

const WRITERS = 16
const LEAST = 0.8
const [listeners = sized(100, 2), seconds = sized(5, 0.2)] = process.argv.slice(2).map(Number)

const server = await startPostgres({ crashes: true })
if ('why' in server) throw new Error(server.why)
const { url } = server
const databases = [
  await openPostgres(url, () => undefined),
  await openPostgres(url, () => undefined),
]
const { db } = databases[0] ?? failed()
await db.execute('create table written (i int)')

function failed(): never {
  throw new Error('no database')
}

/** Listens from so many sessions, and counts what they hear. */
async function listen(n: number) {
  let heard = 0
  const clients: pg.Client[] = []
  for (let i = 0; i < n; i++) {
    const client = new pg.Client({ connectionString: url })
    client.on('notification', () => heard++)
    await client.connect()
    await client.query(`listen ${EVENTS_CHANNEL}`)
    clients.push(client)
  }
  const stop = async (): Promise<void> => {
    for (const client of clients) await client.end()
  }
  return { heard: () => heard, stop }
}

type Step = (tx: Tx) => Promise<unknown>

/** Commits a second of all writers, in turn in the pools of both. */
async function measure(step: Step): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let commits = 0
  const write = async ({ db }: Database): Promise<void> => {
    while (performance.now() < until) {
      await db.transaction(async (tx) => {
        await tx.execute('insert into written values (1)')
        await step(tx)
      })
      commits++
    }
  }
  const began = performance.now()
  await Promise.all(
    Array.from({ length: WRITERS }, (_, i) => write(databases[i % databases.length] ?? failed())),
  )
  return (commits * 1_000) / (performance.now() - began)
}

const withEvent: Step = (tx) => appendEvent(tx, eventKinds.boxGrown, ['BOX-1'])
const withRow: Step = (tx) => tx.execute('insert into written values (2)')
const withNotice: Step = (tx) => notify(tx, EVENTS_CHANNEL, 'BOX-1')

await measure(withEvent) // connections are opened, code is compiled
console.log('| each transaction | listeners | commits/s | heard/s by each |\n| --- | --- | --- | --- |')
const results: Record<string, number> = {}
for (const [name, step, n] of [
  ['two rows', withRow, 0],
  ['a row, its event', withEvent, 0],
  ['a row, its event', withEvent, listeners],
  ['a row, a NOTIFY', withNotice, listeners],
] as const) {
  const { heard, stop } = await listen(n)
  const rate = await measure(step)
  results[`${name}, ${n}`] = rate
  const each = n === 0 ? '–' : (heard() / n / seconds).toFixed(1)
  console.log(`| ${name} | ${n} | ${Math.round(rate)} | ${each} |`)
  await stop()
}
const share =
  (results[`a row, its event, ${listeners}`] ?? 0) /
  (results['a row, its event, 0'] ?? Number.POSITIVE_INFINITY)
const verdict = share >= LEAST ? 'met' : '**missed**'
console.log(`\nWith listeners: ${Math.round(share * 100)} % of without; budget ${LEAST * 100} %: ${verdict}`)
for (const database of databases) await database.close()
await server.stop()
