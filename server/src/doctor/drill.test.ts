import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFile, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { type Database, rows } from '#server/db/client.ts'
import { addRecords } from '#server/testing/anchoring.ts'
import { anchor, befaqt, fill, shopAt } from '#server/testing/backups.ts'
import { testPostgresUrl, withoutPostgres } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { type Restorable, restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { newestBackup } from './drill.ts'

const kinds = [
  { kind: 'embedded', make: restorableEmbedded, skip: false },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
]

/** A folder for backups, and one for temporary files that is the commands' own. */
async function folders() {
  const path = await mkdtemp(join(tmpdir(), 'befaqt-drills-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function opened(place: Restorable): Promise<Database & AsyncDisposable> {
  const database = await place.open()
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

/** Databases of drills of the shop at this address. */
async function leftOf(url: string | undefined): Promise<string[]> {
  if (url === undefined) return []
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    `select datname from pg_database where starts_with(datname, 'befaqt_drill_' ||
       (select oid from pg_database where datname = current_database())::text || '_')`,
  )
  await client.end()
  return rows.map(({ datname }) => datname)
}

for (const { kind, make, skip } of kinds)
  test(`${kind}: the newest backup is restored beside the shop, judged, written down, and nothing of it is left`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    await using disk = await folders()
    await using temporary = await folders()
    const shop = await shopAt(place, network)
    const env = { ...shop.env, BEFAQT_PASSPHRASE: 'a passphrase of these tests', TMPDIR: temporary.path }
    const drilled = async (...more: string[]) => {
      const { status, printed, said } = await befaqt(env, ['drill', disk.path, '--json', ...more])
      assert.notEqual(status, 2, said)
      assert.deepEqual(await readdir(temporary.path), [])
      assert.deepEqual(await leftOf(shop.config.DATABASE_URL), [])
      const noted = JSON.parse(await readFile(join(shop.config.DATA_DIR, 'last-drill.json'), 'utf8'))
      return { status, noted, ...JSON.parse(printed) }
    }
    const never = await drilled()
    assert.match(never.problems.join(), /There is no backup in/)
    await using database = await opened(place)
    const key = await fill(database, shop, network)
    const good = join(disk.path, 'a.backup')
    assert.equal((await befaqt(env, ['backup', good, '--without-secrets'])).status, 0)
    await writeFile(join(disk.path, 'b.backup.12345678.partial'), 'half')

    const first = await drilled()
    assert.deepEqual(first.problems, [])
    assert.equal(first.status, 0)
    assert.deepEqual([first.backup, first.files, first.boxes], ['a.backup', 1, { verified: 2 }])
    assert.equal(first.into, kind === 'embedded' ? 'embedded' : 'postgres')
    assert.equal(first.noted.goodAt, first.noted.at)
    assert.equal(first.noted.madeAt, first.madeAt)

    await addRecords(database.db, 'open', 1)
    await anchor(database, network)
    const later = await drilled()
    assert.deepEqual([later.status, later.problems], [0, []])
    assert.match(later.lacks.join(), /^1 anchors that came after .*, with 1 records/)

    await rows(
      database.db,
      sql`update records set body = replace(body, '"IOT-1"', '"IOT-9"') where box_id = 'sealed' and seq = 1`,
    )
    await rm(join(shop.config.DATA_DIR, 'files', key))
    await befaqt(env, ['backup', join(disk.path, 'c.backup'), '--without-secrets'])
    const bad = await drilled()
    assert.equal(bad.status, 1)
    assert.equal(bad.backup, 'c.backup')
    assert.match(bad.problems.join('\n'), /sealed is broken: /)
    assert.match(bad.problems.join('\n'), new RegExp(`The file ${key}, which a row names, is not in it`))
    assert.deepEqual(
      [bad.noted.ok, bad.noted.goodAt, bad.noted.goodMadeAt],
      [false, later.noted.at, first.madeAt],
    )

    if (kind === 'embedded') return // which costs it more
    const half = join(disk.path, 'd.backup')
    await copyFile(good, half)
    await writeFile(half, (await readFile(good)).subarray(0, -40))
    const cut = await drilled()
    assert.equal(cut.status, 1)
    assert.match(cut.problems.join(), /Half a backup/)
  })

test('the newest backup of a folder is the one that was written last, whatever its name, and no half one', async () => {
  await using disk = await folders()
  for (const [name, at] of [
    ['a.backup', 3],
    ['b.backup', 2],
    ['c.backup.1a2b3c4d.partial', 9],
    ['notes.txt', 9],
  ] as const) {
    await writeFile(join(disk.path, name), '')
    await utimes(join(disk.path, name), at, at)
  }
  assert.equal(await newestBackup(disk.path), join(disk.path, 'a.backup'))
  assert.equal(await newestBackup(join(disk.path, 'b.backup')), join(disk.path, 'b.backup'))
})

test('PostgreSQL: what a drill that was killed left is removed by the next, and two at once are not run', {
  skip: withoutPostgres,
}, async () => {
  await using place = await restorablePostgres()
  await using network = await testNetwork()
  await using disk = await folders()
  await using temporary = await folders()
  const shop = await shopAt(place, network)
  const env = { ...shop.env, TMPDIR: temporary.path }
  const url = shop.config.DATABASE_URL
  await using database = await opened(place)
  await fill(database, shop, network)
  assert.equal((await befaqt(env, ['backup', join(disk.path, 'a.backup'), '--without-secrets'])).status, 0)
  // Its first answer of the chain never comes: it stands in the middle, with all that it made.
  const fifo = join(disk.path, 'b.backup')
  await using hanging = await hangingFile(fifo)
  const killed = await befaqt(env, ['drill', hanging.path], async (child) => {
    while ((await leftOf(url)).length === 0) await sleep(50)
    const second = await befaqt(env, ['drill', join(disk.path, 'a.backup')])
    assert.equal(second.status, 2)
    assert.match(second.said, /Another drill of this shop runs/)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  assert.equal(killed.status, null)
  assert.equal((await leftOf(url)).length, 1)
  assert.equal((await readdir(temporary.path)).length, 1)
  await rm(fifo)
  for (;;) {
    const next = await befaqt(env, ['drill', disk.path])
    if (next.status === 2 && /Another drill/.test(next.said)) continue // until the server notices
    assert.equal(next.status, 0, next.said + next.printed)
    assert.match(next.printed, /It would be the shop again/)
    break
  }
  assert.deepEqual(await leftOf(url), [])
  assert.deepEqual(await readdir(temporary.path), [])
})

/** A file that nobody writes: who opens it to read waits. */
async function hangingFile(path: string) {
  const { execFileSync } = await import('node:child_process')
  execFileSync('mkfifo', [path])
  return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) }
}

test('PostgreSQL: a role that may not create a database is told what to do', {
  skip: withoutPostgres,
}, async () => {
  await using place = await restorablePostgres()
  await using network = await testNetwork()
  await using disk = await folders()
  await using temporary = await folders()
  const shop = await shopAt(place, network)
  const env = { ...shop.env, TMPDIR: temporary.path }
  {
    await using database = await opened(place)
    await fill(database, shop, network)
  }
  assert.equal((await befaqt(env, ['backup', join(disk.path, 'a.backup'), '--without-secrets'])).status, 0)
  const name = `befaqt_test_role_${process.pid}`
  const client = new pg.Client({ connectionString: testPostgresUrl })
  await client.connect()
  await client.query(`create role ${name} login`)
  try {
    const DATABASE_URL = Object.assign(new URL(shop.config.DATABASE_URL ?? ''), { username: name }).href
    const refused = await befaqt({ ...env, DATABASE_URL }, ['drill', disk.path])
    assert.equal(refused.status, 2)
    assert.match(refused.said, new RegExp(`Run: alter role ${name} createdb; or give --embedded`))
    assert.deepEqual(await readdir(temporary.path), [])
    const embedded = await befaqt({ ...env, DATABASE_URL }, ['drill', disk.path, '--embedded', '--json'])
    assert.equal(embedded.status, 0, embedded.printed + embedded.said)
    assert.equal(JSON.parse(embedded.printed).into, 'embedded')
  } finally {
    await client.query(`drop role ${name}`)
    await client.end()
  }
})
