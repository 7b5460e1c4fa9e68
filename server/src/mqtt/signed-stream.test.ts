import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { cuttableLink } from '#server/testing/cuttable-link.ts'
import { testDatabases, testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { checkStored, type LoggerStream, streamAll } from '#server/testing/logger-stream.ts'
import { keyFor, shopWithBoxes } from '#server/testing/readings.ts'
import { enrolled } from '#server/testing/signed-readings.ts'
import { freePort } from '../../../tools/test/free-port.ts'
import { messageIngestion } from './start-mqtt.ts'

const PROGRAM = fileURLToPath(new URL('../testing/take-until-killed.ts', import.meta.url))
const LOGGERS = 5
const MESSAGES = 100

test('PostgreSQL: of 500 signed readings none is lost, doubled or refused while connections and transactions are cut and the process is killed', {
  skip: withoutPostgres,
}, async () => {
  await using database = await testPostgres()
  const open = async () => ({ ...database, [Symbol.asyncDispose]: async () => undefined })
  const boxIDs = Array.from({ length: LOGGERS }, (_, i) => `STREAM-${i}`)
  const now = { now: () => new Date() }
  await using shop = await shopWithBoxes(boxIDs, { open, deps: now })
  const key = await keyFor(shop, 'record:write')
  const loggers: LoggerStream[] = []
  for (const box of boxIDs) {
    const signer = await enrolled(shop.admin)
    const timeS = Math.ceil(Date.now() / 1000)
    const messages = Array.from({ length: MESSAGES }, (_, i) =>
      signer.chained({
        box,
        counter: i + 1,
        readings: [{ timeS: timeS + i / 10, temperature: 2 + (i % 7) / 10 }],
      }),
    )
    loggers.push({ box, messages })
  }
  const port = await freePort()
  const start = async () => {
    const child = spawn(process.execPath, [PROGRAM, database.url, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    return child
  }
  await using link = await cuttableLink(port)
  let taking = await start()
  const faults: [after: number, fault: () => Promise<void>][] = [
    [50, async () => link.cut()],
    [
      120,
      async () =>
        void (await rows(
          shop.deps.db,
          sql`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid() and query like '%records%'`,
        )),
    ],
    [
      250,
      async () => {
        taking.kill('SIGKILL')
        taking = await start()
      },
    ],
    [400, async () => link.cut()],
  ]
  let acknowledged = 0
  let faulty = Promise.resolve()
  const onAcknowledged = (): void => {
    const [after = Number.POSITIVE_INFINITY, fault] = faults[0] ?? []
    if (++acknowledged < after || fault === undefined) return
    faults.shift()
    faulty = faulty.then(fault)
  }
  try {
    await streamAll(loggers, { port: link.port, key, inFlight: 8, onAcknowledged })
    await faulty
  } finally {
    taking.kill('SIGKILL')
  }
  await checkStored(shop.deps.db, loggers)
})

for (const [name, open] of testDatabases)
  test(`${name}: what was signed after a reading that could not be stored waits until that is sent again`, async () => {
    await using shop = await shopWithBoxes(['BOX-1'], { open, deps: { now: () => new Date() } })
    const { db } = shop.deps
    const signer = await enrolled(shop.admin)
    const timeS = Math.ceil(Date.now() / 1000)
    const [first, second] = [1, 2].map((counter) => ({
      box: 'BOX-1',
      payload: signer.logger({ box: 'BOX-1', counter, readings: [{ timeS, temperature: counter }] }),
    }))
    assert.ok(first && second)
    await rows(db, sql`create sequence tries`)
    await rows(
      db,
      sql`create function not_yet() returns trigger language plpgsql as
          $$ begin if nextval('tries') <= 2 then raise 'not yet'; end if; return null; end $$`,
    )
    await rows(
      db,
      sql`create trigger not_yet after insert on records for each statement execute function not_yet()`,
    )
    const { add } = messageIngestion(shop.deps)
    const [connection, next] = [{}, {}]
    const failed = add({ ...first, connection })
    for (let i = 0; i < 3; i++) await setImmediate() // it is being stored
    const after = add({ ...second, connection })
    await assert.rejects(failed)
    await assert.rejects(after, 'on the same connection it is not stored')
    const again = [first, second].map((message) => add({ ...message, connection: next }))
    assert.deepEqual(
      await Promise.all(again),
      [null, null],
      'stored, not refused for a counter that goes back',
    )
  })
