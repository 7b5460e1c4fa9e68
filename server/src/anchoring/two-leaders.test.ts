import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import type { Chain } from '#server/chain/port.ts'
import { type Database, rows } from '#server/db/client.ts'
import { EVENTS_CHANNEL } from '#server/db/events.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { assertContinued, logSettings } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testPostgres, withoutPostgres } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { startAnchoring } from './anchor-loop.ts'
import { chainHealth } from './ledger-health.ts'
import { logDifferences } from './log/log-rows.ts'
import { followAnchors } from './log/sign-log.ts'

const INTERVAL_S = 0.02

/** One process's loop, counting what it signs. */
function startProcess(database: Database, chain: Chain) {
  const signed = { n: 0 }
  const counting: Chain = {
    ...chain,
    sign: (wanted) => {
      signed.n++
      return chain.sign(wanted)
    },
  }
  const { deps } = anchoringWorld(database.db, counting, { now: () => new Date() })
  return { loop: startAnchoring(database, deps, INTERVAL_S, followAnchors(logSettings())), signed, deps }
}

/** Resolves when no record is pending, looking whenever an anchor was confirmed. */
async function allAnchored(database: Database, deps: Parameters<typeof chainHealth>[0]): Promise<void> {
  const done = Promise.withResolvers<void>()
  const check = () =>
    chainHealth(deps).then(({ pendingRecords }) => pendingRecords === 0 && done.resolve(), done.reject)
  const stop = await database.listen(EVENTS_CHANNEL, check)
  await check()
  await done.promise
  await stop()
}

test('of two processes one anchors and signs the log; when its connection breaks or it stops, the other goes on', {
  skip: withoutPostgres,
}, async () => {
  await using one = await testPostgres()
  await using network = await testNetwork()
  const two = await openPostgres(one.url, () => undefined)
  const a = startProcess(one, network.chain)
  const b = startProcess(two, network.chain)
  await addBox(one.db, 'a')
  const addMany = async (n: number): Promise<void> => {
    for (let i = 0; i < n; i++) await addRecords(one.db, 'a', 1)
    await allAnchored(one, a.deps)
  }
  await addMany(30)
  assert.ok(a.signed.n === 0 || b.signed.n === 0, 'one of them stayed still')
  await rows(
    one.db,
    sql`select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and l.granted and d.datname = current_database()`,
  )
  await addMany(30)
  await a.loop.stop()
  const before = b.signed.n
  await addMany(30)
  assert.ok(b.signed.n > before, 'the other took over')
  await b.loop.stop()

  const world = anchoringWorld(one.db, network.chain)
  const anchors = await world.anchors()
  assert.deepEqual(
    anchors.map(({ index }) => index),
    anchors.map((_, i) => i),
  )
  assert.equal(
    anchors.reduce((sum, { records }) => sum + records, 0),
    90,
  )
  assert.equal(new Set(anchors.map(({ txHash }) => txHash)).size, anchors.length)
  assert.equal((await world.transactions()).length, anchors.length + 1, 'nothing was kept twice')
  await followAnchors(logSettings())(world.deps)
  assert.equal((await assertContinued(one.db)).at(-1)?.size, anchors.length)
  assert.deepEqual(await logDifferences(one.db), [])
  await two.close()
})
