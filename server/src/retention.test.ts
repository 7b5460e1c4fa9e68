import assert from 'node:assert/strict'
import { test } from 'node:test'
import { is, lt, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { deletes, purge } from './db/retention.ts'
import { rateLimits } from './db/schema/accounts.ts'
import { schema } from './db/schema/index.ts'
import { jobs } from './db/schema/jobs.ts'
import { idempotencyKeys } from './db/schema/orders.ts'
import { runDueJobs } from './jobs/run.ts'
import { PURGE_QUEUE, purgeJob, retentions, schedulePurge } from './retention.ts'
import { testDatabases, testDb } from './testing/database.ts'

const untilDeleted = 'until somebody deletes it'
const history = 'a part of the history that anyone can check'
const sold = 'what was sold, to whom it can be traced'
const derived = 'as long as the orders that it is derived of'
const taken = 'until whoever works on it takes it'
const one = 'one row for each of what it is about'

/** Tables of which nothing goes with time, and why. */
const kept: Record<string, string> = {
  users: untilDeleted,
  api_keys: 'a revoked one names who did what',
  boxes: history,
  records: history,
  box_archives: history,
  devices: history,
  device_boxes: one,
  box_watches: one,
  enrolments: 'until the next one begins',
  event_numbers: one,
  watch_queue: taken,
  grown_boxes: taken,
  pending_objects: 'until its object is referred to, or removed',
  excursions: sold,
  excursion_notes: sold,
  seen_alerts: one,
  warm_limits: untilDeleted,
  warm_limit_periods: 'by which earlier excursions are judged again',
  notice_targets: 'a revoked one names who was told',
  notice_deliveries: 'who was told of an excursion',
  trackers: one,
  tracker_assignments: 'by which late readings find their box',
  column_maps: untilDeleted,
  files: 'until nothing refers to it',
  installation: one,
  chain_transactions: history,
  ledgers: one,
  ledger_gaps: history,
  anchors: history,
  anchor_leaves: history,
  anchor_logs: one,
  log_checkpoints: history,
  log_cosignatures: 'until who signed them has signed a newer one',
  log_witnesses: one,
  log_stamps: history,
  log_entries: history,
  log_tiles: history,
  other_logs: one,
  other_log_entries: history,
  other_log_tiles: history,
  started_builds: 'one for each build, which is in the log of builds for ever',
  map_nodes: 'until two newer maps are confirmed',
  removed_map_nodes: 'until two newer maps are confirmed',
  categories: untilDeleted,
  products: untilDeleted,
  catalogue_version: one,
  slots: sold,
  coupons: untilDeleted,
  slot_rules: untilDeleted,
  closed_days: untilDeleted,
  number_sequences: one,
  box_losses: sold,
  recalls: sold,
  box_sums: derived,
  sales_parts: derived,
  sales_sums: derived,
}

test('every table has rows that go with time, or with rows of another, or there is a reason to keep them', () => {
  const tables = Object.values(schema).filter((table) => is(table, PgTable))
  const purged = retentions.map(({ of }) => getTableConfig(of).name)
  const goesWithAnother = (table: PgTable): boolean =>
    getTableConfig(table).foreignKeys.some(
      (key) => key.onDelete === 'cascade' && key.reference().columns.every(({ notNull }) => notNull),
    )
  const unsaid = tables
    .filter((table) => !goesWithAnother(table))
    .map((table) => getTableConfig(table).name)
    .filter((name) => !purged.includes(name))
  assert.deepEqual(unsaid.sort(), Object.keys(kept).sort())
})

for (const [name, open] of testDatabases) {
  test(`${name}: rows go in parts, and a table that fails keeps none of the others`, async () => {
    await using t = await open()
    const now = new Date()
    const ended = new Date(now.getTime() - 1)
    const keys = ['a', 'b', 'c', 'd', 'e']
    await t.db.insert(rateLimits).values(keys.map((key) => ({ key, count: 1, windowEndsAt: ended })))
    await t.db.insert(rateLimits).values({ key: 'open', count: 1, windowEndsAt: now })
    const limits = deletes(rateLimits, (at) => lt(rateLimits.windowEndsAt, at))
    assert.equal(await limits.end(t.db, now, 2), 2)
    const broken = deletes(idempotencyKeys, () => sql`1 / 0 = 1`)
    const inParts: number[] = []
    const counted = {
      ...limits,
      end: async (...[db, at, atMost]: Parameters<typeof limits.end>) => {
        inParts.push(await limits.end(db, at, atMost))
        return inParts.at(-1) ?? 0
      },
    }
    await t.db.insert(idempotencyKeys).values({ keyHash: 'key', fingerprint: '' })
    await assert.rejects(purge(t.db, now, [broken, counted], { atMost: 2 }), /not purged: idempotency_keys: /)
    assert.deepEqual(inParts, [2, 1])
    assert.deepEqual(
      (await t.db.select().from(rateLimits)).map(({ key }) => key),
      ['open'],
    )
  })
}

test('the purge runs once, however many processes start, and says what it deleted', async () => {
  await using t = await testDb()
  const now = new Date()
  for (let i = 0; i < 3; i++) await schedulePurge(t.db, now)
  const planned = await t.db.select({ key: jobs.uniqueKey }).from(jobs)
  assert.deepEqual(planned, [{ key: now.toISOString().slice(0, 10) }])
  await t.db.insert(rateLimits).values({ key: 'a', count: 1, windowEndsAt: new Date(now.getTime() - 1) })
  const said: unknown[] = []
  const handler = purgeJob({
    db: t.db,
    now: () => now,
    log: { info: (details: unknown) => void said.push(details) },
  })
  const log = { warn: assert.fail, error: assert.fail }
  assert.equal(await runDueJobs(t.db, { [PURGE_QUEUE]: handler }, log, new AbortController().signal), 1)
  assert.deepEqual(said, [{ rows: { rate_limits: 1 } }])
})
