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
import { percentile } from './percentile.ts'
import { sized } from './sized.ts'

const WRITERS = 16
const LEAST = 0.8
/** In turn, since what else runs on a machine varies. */
const ROUNDS = sized(5, 1)
const [listeners = sized(100, 2), seconds = sized(5, 0.2)] = process.argv.slice(2).map(Number)

const server = await startPostgres({ crashes: true })
if ('why' in server) throw new Error(server.why)
const { url } = server
const databases = [await openPostgres(url, () => undefined), await openPostgres(url, () => undefined)]
const { db } = databases[0] ?? failed()
await db.execute('create table written (i int)')

function failed(): never {
  throw new Error('no database')
}

/** Listens from so many sessions, until the function that it returns is called. */
async function listen(n: number): Promise<() => Promise<void>> {
  const clients: pg.Client[] = []
  for (let i = 0; i < n; i++) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`listen ${EVENTS_CHANNEL}`)
    clients.push(client)
  }
  return async () => {
    for (const client of clients) await client.end()
  }
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

const variants: readonly [name: string, step: Step, listeners: number][] = [
  ['two rows', withRow, 0],
  ['a row, its event', withEvent, 0],
  ['a row, its event', withEvent, listeners],
  ['a row, a NOTIFY', withNotice, listeners],
]

await measure(withEvent) // connections are opened, code is compiled
const rates: number[][] = variants.map(() => [])
for (let round = 0; round < ROUNDS; round++)
  for (const [i, [, step, n]] of variants.entries()) {
    const stop = await listen(n)
    rates[i]?.push(await measure(step))
    await stop()
  }
console.log('| each transaction | listeners | commits/s, median |\n| --- | --- | --- |')
for (const [i, [name, , n]] of variants.entries())
  console.log(`| ${name} | ${n} | ${Math.round(percentile(rates[i] ?? [], 0.5))} |`)
const shares = (rates[2] ?? []).map((rate, round) => rate / (rates[1]?.[round] ?? failed()))
const share = percentile(shares, 0.5)
const verdict = share >= LEAST ? 'met' : '**missed**'
console.log(`\nWith listeners: ${Math.round(share * 100)} % of without; budget ${LEAST * 100} %: ${verdict}`)
for (const database of databases) await database.close()
await server.stop()
