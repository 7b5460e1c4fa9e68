import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import type { Expected } from '../fixtures/seed-shop.ts'
import { tradeOf } from '../fixtures/seed-trade.ts'
import { runScript } from '../support/command.ts'
import { type OldShop, oldEmbeddedShop, oldPostgresShop, type Rows } from '../support/fixture.ts'
import { withoutPostgres } from '../support/postgres.ts'
import { type Server, startServer } from '../support/server.ts'
import { callAs, type Memory, memoryOf } from '../support/shop-memory.ts'
import { startMailbox } from '../support/smtp.ts'
import { until } from '../support/within.ts'

/** Versions of the program whose data is kept in e2e/fixtures. */
const versions = ['d3e1ffc', 'cec125e3'] as const
/** The one whose boxes were anchored by protocol 1. */
const PROTOCOL_1 = 'd3e1ffc'
/** How each said that an account has a second factor. */
const IS_ON = { d3e1ffc: /second factor is on/, cec125e3: /two-step login is on/i }
const kinds = [
  { kind: 'embedded', open: oldEmbeddedShop, skip: false },
  { kind: 'PostgreSQL', open: oldPostgresShop, skip: withoutPostgres },
] as const
const WAIT_S = 120

for (const version of versions)
  for (const { kind, open, skip } of kinds) {
    test(`${kind}: a shop upgraded from ${version} loses nothing and works`, { skip }, async () => {
      await using old = await open(version)
      await using mailbox = await startMailbox()
      if (old.expected.trade !== undefined) await old.exec(MOVED_TODAY)
      const before = { rows: await old.rows(), files: filesIn(old.dataDir) }
      const start = () => startOn(old, { SMTP_URL: mailbox.url })

      const first = await start()
      assert.partialDeepStrictEqual(
        withoutAnchors(await memoryOf(first, old.expected.admin.token)),
        withoutAnchors(old.expected.memory),
      )
      if (old.expected.trade !== undefined) {
        assert.deepEqual(await tradeOf(first, old.expected.admin.token), old.expected.trade)
        await mailbox.waitForMail('cleo@shop.example', /BF-2026-000003/)
      }
      await mailbox.waitForMail(old.expected.ann.email, IS_ON[version])
      await untilWorkIsDone(first)
      await first.stop()
      const after = await old.rows()
      assertKept(before.rows, after)
      assertUnits(after)
      assert.partialDeepStrictEqual(filesIn(old.dataDir), before.files)

      await using second = await start()
      await peopleGetIn(second, old.expected)
      await untilAnchored(second, old.expected)
      await proofsVerify(second, Object.keys(old.expected.memory.wholeBoxes ?? {}), version === PROTOCOL_1)
      await anchoringGoesOn(second, old.expected)
    })

    if (version !== PROTOCOL_1)
      test(`${kind}: a box that waited in ${version} to be followed is followed`, {
        skip,
      }, async () => {
        await using old = await open(version)
        await old.exec(`
          delete from excursions where box_id = 'FIX-5';
          update box_watches set seq = 0, last_at = null where box_id = 'FIX-5';
          insert into grown_boxes (box_id) values ('FIX-5');`)
        await using server = await startOn(old, {})
        const warmth = async () =>
          (await tradeOf(server, old.expected.admin.token)).excursions.find(isWarm)?.peak
        const before = old.expected.trade?.excursions.find(isWarm)?.peak
        assert.ok(before)
        await until(WAIT_S, 'the box is followed', async () => (await warmth()) === before)
      })

    test(`${kind}: a database of a newer version is refused with a message, and left as it is`, {
      skip,
    }, async () => {
      await using old = await open(version)
      await (await startOn(old, {})).stop()
      await old.exec(
        `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 4102444800000)`,
      )
      const before = await old.rows()
      await assert.rejects(startOn(old, {}), /database was made by a newer version of the shop/)
      assert.deepEqual(await old.rows(), before)
    })
  }

const isWarm = ({ kind }: { kind: unknown }): boolean => kind === 'warm'

const startOn = (old: OldShop, env: Record<string, string>): Promise<Server> =>
  startServer({ dataDir: old.dataDir, env: { SAMPLE_DATA: 'off', ...old.env, ...env } })

/** What was anchored by protocol 1 is anchored anew, in another contract: its transactions and proofs are others. */
function withoutAnchors({ proofs, ...memory }: Memory): object {
  const known = Object.entries((proofs ?? {}) as Record<string, { records: unknown[] }>)
  const records = Object.fromEntries(known.map(([box, proof]) => [box, proof.records]))
  const text = JSON.stringify({ ...memory, records }, (name, value) =>
    name === 'txHash' ? undefined : value,
  )
  return JSON.parse(text)
}

/** SHA-256 of every stored file, by its path. */
const filesIn = (dataDir: string): Record<string, string> =>
  Object.fromEntries(
    globSync('files/**/*.*', { cwd: dataDir }).map((path) => [path, hashOf(join(dataDir, path))]),
  )

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Columns that starts and visits change in rows that stay. */
const changing = ['last_used_at']
/** Tables whose rows may disappear: work that is done, and what is kept for days. */
const passing = ['jobs', 'rate_limits', 'idempotency_keys', 'payment_events']
/** Contacts of guests are kept for so long after an order was moved: it is as if that had been today. */
const MOVED_TODAY = 'update orders set updated_at = now()'
/** What protocol 1 anchored is kept in a schema of its own. */
const moved = ['anchors', 'anchor_leaves', 'ledgers', 'ledger_gaps']
/** Columns that only protocol 1 had a use for. */
const givenUp = ['boxes.seal_anchored', 'chain_transactions.kind']
/**
 * How far the history of a box goes, and was followed: it may go on, as by what is on sale from it. Its records are kept one
 * by one. And when a notice that waited was sent.
 */
const continued = [
  'boxes.count',
  'boxes.head',
  'boxes.updated_at',
  'box_watches.seq',
  'recall_notices.sent_at',
]
/** Lists that may have grown: the operator's key gets every right, also those of later versions. */
const growing = ['api_keys.rights']
/** What a box's records add up to: background work renews it where an older version computed it by other formulas. */
const derived = ['boxes.stage', 'boxes.alerts', 'boxes.silent_after', 'boxes.summary', 'boxes.projection']

/** Asserts that every earlier row is still there, with the values of all its columns. */
function assertKept(before: Rows, after: Rows): void {
  assert.ok(Object.keys(before).length >= 20)
  const isMoved = (table: string): boolean =>
    moved.includes(table) && before[`protocol_1.${table}`] === undefined
  for (const [table, old] of Object.entries(before)) {
    if (passing.includes(table)) continue
    const columns = Object.keys(old[0] ?? {}).filter(
      (column) =>
        !changing.includes(column) &&
        ![...givenUp, ...growing, ...derived, ...continued].includes(`${table}.${column}`),
    )
    for (const name of growing.filter((one) => one.startsWith(`${table}.`)))
      assertGrown(old, after[table] ?? [], name.slice(table.length + 1))
    const textOf = (row: Record<string, unknown>): string => JSON.stringify(columns.map((name) => row[name]))
    const there = new Set((after[isMoved(table) ? `protocol_1.${table}` : table] ?? []).map(textOf))
    assert.deepEqual(
      old.map(textOf).filter((row) => !there.has(row)),
      [],
      `rows of ${table}`,
    )
  }
}

/** Asserts that what boxes hold counts in the unit of its product. */
function assertUnits({ products = [], product_boxes: held = [] }: Rows): void {
  const units = new Map(products.map(({ id, unit }) => [id, unit]))
  assert.ok(held.length > 0)
  for (const row of held) assert.equal(row.unit, units.get(row.product_id), JSON.stringify(row))
}

function assertGrown(before: Rows[string], after: Rows[string], column: string): void {
  for (const row of before) {
    const now = new Set(Array.from(Object(after.find(({ id }) => id === row.id)?.[column] ?? [])))
    for (const item of Array.from(Object(row[column] ?? []))) assert.ok(now.has(item), `${column}: ${item}`)
  }
}

async function peopleGetIn(server: Server, { admin, ann, operatorKey, deviceKey }: Expected): Promise<void> {
  const anybody = callAs(server, 'none')
  assert.ok((await anybody<{ token: string }>('POST', '/api/user/signIn', admin)).token)
  const { email, password } = ann
  assert.deepEqual(await anybody('POST', '/api/user/signIn', { email, password }), { requireTwoFa: true })
  const verify = (twoFaToken: string | undefined) =>
    anybody<{ token: string }>('POST', '/api/user/twoFa/verify', { email, password, twoFaToken })
  assert.ok((await verify(generateSync({ secret: ann.secret }))).token)
  assert.ok((await verify(ann.recoveryCodes[0])).token)
  assert.equal((await callAs(server, ann.token)<{ email: string }>('GET', '/api/user')).email, email)
  assert.equal(await server.operatorKey(), operatorKey)
  await callAs(server, operatorKey)('GET', '/api/product')
  await callAs(server, deviceKey)('POST', '/api/tracking', { readings: [] })
}

async function verdictOf(server: Server, boxID: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-proof-'))
  const file = join(folder, 'box.proof.json')
  await writeFile(file, await (await fetch(`${server.url}/api/box/${boxID}/proof`)).text())
  const { stdout, stderr } = await runScript(folder, 'provenance/src/cli.ts', [file, '--json'])
  await rm(folder, { recursive: true })
  return stdout === '' ? stderr : JSON.parse(stdout).verdict
}

async function proofsVerify(server: Server, boxIDs: string[], isOfProtocol1: boolean): Promise<void> {
  assert.equal(boxIDs.length, isOfProtocol1 ? 3 : 5)
  for (const boxID of boxIDs) {
    assert.equal(await verdictOf(server, boxID), 'verified', boxID)
    if (!isOfProtocol1) continue
    const { formerLedger } = await (await server.call(`/api/box/${boxID}/page`)).json()
    assert.match(formerLedger?.contract, /^0x[0-9a-f]{40}$/i, 'the page says that it was anchored anew')
    assert.ok(formerLedger.count > 0 && !Number.isNaN(Date.parse(formerLedger.anchoredAt)))
  }
}

const untilAnchored = (server: Server, { admin }: Expected): Promise<void> =>
  until(WAIT_S, 'all is anchored', async () => {
    const health = callAs(server, admin.token)<{ pendingRecords: number }>('GET', '/api/chain/health')
    return (await health).pendingRecords === 0
  })

/** Waits until background work, which computes figures of boxes anew, has no job left that is due. */
const untilWorkIsDone = (server: Server): Promise<void> =>
  until(WAIT_S, 'no job is due', async () => {
    const metrics = await (await server.call('/metrics')).text()
    return /^befaqt_jobs_oldest_due_seconds 0$/m.test(metrics)
  })

async function anchoringGoesOn(server: Server, expected: Expected): Promise<void> {
  const [time, iotID] = ['2026-11-21T01:00:00Z', 'LOG-1']
  const reading = { box: 'FIX-2', time, iotID, latitude: -33.8, longitude: 151.2, temperature: 2 }
  await callAs(server, expected.deviceKey)('POST', '/api/tracking', { readings: [reading] })
  await untilAnchored(server, expected)
  assert.equal(await verdictOf(server, 'FIX-2'), 'verified')
}
