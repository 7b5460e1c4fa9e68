import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { type TestDb, testDatabases } from '#server/testing/database.ts'
import { enqueueNext, nightly, startRecurring } from './recurring.ts'
import { PermanentError, runDueJobs } from './run.ts'

const silent = { warn: () => undefined, error: () => undefined }
const NOON = new Date('2026-11-20T01:00:00Z')
const NIGHT = { queue: 'tidy', next: nightly('Australia/Sydney') }

const waiting = async ({ db }: TestDb) =>
  (
    await rows<{ key: string }>(
      db,
      sql`select unique_key as key from jobs where queue = 'tidy' and failed_at is null order by unique_key`,
    )
  ).map(({ key }) => key)

test('the next night is three o’clock in the market, also where its clocks change', () => {
  const next = nightly('Australia/Sydney')
  const at = (now: string) => next(new Date(now)).toISOString()
  assert.equal(at('2026-11-20T01:00:00Z'), '2026-11-20T16:00:00.000Z')
  assert.equal(at('2026-11-20T16:00:00Z'), '2026-11-21T16:00:00.000Z')
  assert.equal(at('2026-10-03T15:00:00Z'), '2026-10-03T16:00:00.000Z', 'the hour before it is left out')
  assert.equal(at('2026-04-04T15:30:00Z'), '2026-04-04T17:00:00.000Z', 'the hour before it comes twice')
})

for (const [name, open] of testDatabases) {
  test(`${name}: the next run is in the queue once, at its time by the database’s clock`, async () => {
    await using t = await open()
    for (let i = 0; i < 3; i++) await enqueueNext(t.db, [NIGHT], NOON)
    assert.deepEqual(await waiting(t), ['2026-11-20T16:00:00.000Z'])
    const [due] = await rows<{ h: number }>(
      t.db,
      sql`select round(extract(epoch from run_at - now()) / 3600)::int as h from jobs`,
    )
    assert.equal(due?.h, 15)
  })

  test(`${name}: a run that fails for good is not the last`, async () => {
    await using t = await open()
    await enqueueNext(t.db, [NIGHT], NOON)
    await rows(t.db, sql`update jobs set run_at = now()`)
    const tidy = () => Promise.reject(new PermanentError('on purpose', undefined))
    await runDueJobs(t.db, { tidy }, silent, new AbortController().signal)
    assert.deepEqual(await waiting(t), [])
    await enqueueNext(t.db, [NIGHT], new Date('2026-11-20T16:01:00Z'))
    assert.deepEqual(await waiting(t), ['2026-11-21T16:00:00.000Z'])
  })

  test(`${name}: a process looks again and again, also after it could not`, async () => {
    await using t = await open()
    const logged: string[] = []
    let now = NOON
    let isAway = false
    const log = { error: (_: object, message: string) => void logged.push(message) }
    const db = new Proxy(t.db, {
      get: (of, property) => {
        const value: unknown = Reflect.get(of, property)
        if (property === 'execute' && isAway) return () => Promise.reject(new Error('away'))
        return typeof value === 'function' ? value.bind(of) : value
      },
    })
    const stop = await startRecurring({ db, now: () => now, log }, [NIGHT], 20)
    isAway = true
    while (logged.length === 0) await sleep(20)
    isAway = false
    now = new Date('2026-11-21T01:00:00Z')
    while ((await waiting(t)).length < 2) await sleep(20)
    await stop()
    assert.deepEqual(await waiting(t), ['2026-11-20T16:00:00.000Z', '2026-11-21T16:00:00.000Z'])
  })
}
