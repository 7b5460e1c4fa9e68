import assert from 'node:assert/strict'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '#server/db/client.ts'
import { readMigrations } from '#server/db/schema-version.ts'
import { befaqt, shopAt } from '#server/testing/backups.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import type { Finding } from './finding.ts'
import { sayBackup, sayUpgrade, workOf } from './upgrade.ts'

const kinds = [
  { kind: 'embedded', make: restorableEmbedded, skip: false },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
]

test('every statement of every migration is told apart, with its table and whether it grows with the rows', () => {
  const unknown = readMigrations().flatMap(({ sql }) => sql.filter((statement) => workOf(statement) === null))
  assert.deepEqual(unknown, [])
  const said = (statement: string) => {
    const work = workOf(statement)
    return work && `${work.table} ${work.takes}: ${work.words}`
  }
  assert.equal(said('-- Why.\nCREATE UNIQUE INDEX "a" ON "orders" ("x");'), 'orders rows: builds an index')
  assert.equal(said('ALTER TABLE "orders" ADD COLUMN "x" text;'), 'orders brief: adds a column')
  assert.equal(
    said('ALTER TABLE "orders" ADD COLUMN "x" uuid DEFAULT gen_random_uuid();'),
    'orders rows: writes each row anew for a column',
  )
  assert.equal(said('ALTER TABLE "a" ALTER COLUMN "x" SET DATA TYPE bigint;'), 'a rows: writes each row anew')
  assert.equal(said('ALTER TABLE "a" ALTER COLUMN "x" DROP NOT NULL;'), 'a brief: changes how it is defined')
  assert.equal(said('UPDATE "a" n SET "x" = 1;'), 'a rows: changes rows')
  assert.equal(said('VACUUM FULL "a";'), null)
})

/** Undoes that the newest migrations were run, as far as the database says. */
const forget = ({ db }: Database, count: number): Promise<unknown> =>
  rows(
    db,
    sql`delete from drizzle.__drizzle_migrations where created_at in
          (select created_at from drizzle.__drizzle_migrations order by created_at desc limit ${count})`,
  )

for (const { kind, make, skip } of kinds)
  test(`${kind}: what an upgrade would do is said table by table, and nothing is done`, {
    skip,
  }, async () => {
    await using place = await make()
    const { env } = await shopAt(place)
    const backups = await mkdtemp(join(tmpdir(), 'befaqt-backups-'))
    const asked = async (...more: string[]) => {
      const { status, printed } = await befaqt(env, ['upgrade', '--check', '--json', ...more])
      const { ok, findings } = JSON.parse(printed) as { ok: boolean; findings: Finding[] }
      assert.equal(status, ok ? 0 : 1, printed)
      return findings
        .filter(({ check }) => check === 'migrations' || check === 'backup')
        .map(({ check, level, words }) => `${level} ${check}: ${words}`)
    }
    try {
      await (await place.open()).close()
      const current = await asked()
      assert.match(current[0] ?? '', /^note backup: Where the backups are was not said/)
      assert.match(current[1] ?? '', /^ok migrations: All \d+ migrations of this version, and no other\.$/)

      const database = await place.open()
      await forget(database, 11)
      // How many there are is not known before it is looked; here each table has many.
      const many = await database.db.transaction((tx) => sayUpgrade(tx, 0))
      await database.close()
      assert.deepEqual(
        many.map(({ level }) => level),
        [
          ...['note', 'warning', 'note', 'note', 'warning', 'warning'],
          ...['note', 'note', 'warning', 'warning', 'note', 'warning'],
        ],
      )
      assert.match(
        many[1]?.words ?? '',
        /^0056_\S+ touches sales_parts \(about .*\): empties it.*, adds a column; /,
      )
      await writeFile(join(backups, 'a.backup'), 'x')
      const before = await asked(backups)
      assert.match(before[0] ?? '', /^ok backup: The newest backup is a\.backup, \d+ s old\.$/)
      assert.match(before[1] ?? '', /^note migrations: 11 migrations of this version are to be run, in one/)
      assert.match(before[2] ?? '', /^note migrations: 0056_/)
      assert.deepEqual((await asked(backups)).slice(1), before.slice(1), 'nothing was done')
    } finally {
      await rm(backups, { recursive: true })
    }
  })

test('a database of a newer version is a fault, and so is an upgrade without a backup; an old one is a warning', async () => {
  await using place = await restorableEmbedded()
  const database = await place.open()
  await rows(
    database.db,
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 4102444800000)`,
  )
  const [said] = await database.db.transaction((tx) => sayUpgrade(tx))
  await database.close()
  assert.equal(said?.level, 'fault')
  assert.match(said?.words ?? '', /newer version of the shop: it has 1 migrations/)

  const folder = await mkdtemp(join(tmpdir(), 'befaqt-backups-'))
  try {
    assert.match((await sayBackup(folder))[0]?.words ?? '', /^There is no backup: There is no backup in /)
    const path = join(folder, 'a.backup')
    await writeFile(path, 'x')
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
    await utimes(path, twoDaysAgo, twoDaysAgo)
    const [old] = await sayBackup(folder)
    assert.equal(old?.level, 'warning')
    assert.match(old?.words ?? '', /^The newest backup is a\.backup, 2 days old\.$/)
    assert.equal((await sayBackup(join(folder, 'none')))[0]?.level, 'fault')
  } finally {
    await rm(folder, { recursive: true })
  }
})
