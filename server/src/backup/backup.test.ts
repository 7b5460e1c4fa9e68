import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { addBox, addRecords } from '#server/testing/anchoring.ts'
import { anchor, befaqt, fill, ODD, rowsAt, shopAt, verdictOf, wanted } from '#server/testing/backups.ts'
import { testPostgresUrl, withoutPostgres } from '#server/testing/database.ts'
import { testNetwork } from '#server/testing/network.ts'
import { type Restorable, restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { openS3 } from '#server/testing/s3.ts'
import { backup } from './make-backup.ts'
import { restore } from './restore-backup.ts'

const kinds = [
  { kind: 'embedded', make: restorableEmbedded, skip: false },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
]
const PASSPHRASE = 'a passphrase of these tests'
const progress = (): void => undefined

/** A folder for backups. */
async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'befaqt-backup-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

for (const { kind, make, skip } of kinds) {
  test(`${kind}: a running shop is backed up by the command, restored, started, and its boxes verify`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    await using disk = await folder()
    const shop = await shopAt(place, network)
    const file = join(disk.path, 'one.backup')
    await using logs = await folder()
    const securityLog = join(logs.path, 'security.log')
    const env = { ...shop.env, BEFAQT_PASSPHRASE: PASSPHRASE, SECURITY_LOG: securityLog }
    let key = ''
    {
      await using database = await open(place)
      key = await fill(database, shop, network)
      const made = await befaqt(env, ['backup', file, '--with-secrets'])
      assert.equal(made.status, 0, made.said)
      assert.match(made.said, /one\.backup is whole: [\d,]+ bytes, encrypted/)
      const [line = '', rest] = (await readFile(securityLog, 'utf8')).split('\n')
      const { what, outcome, who, detail } = JSON.parse(line)
      assert.deepEqual([what, outcome, who, rest], ['backup', 'done', 'operator', ''])
      assert.match(detail, /^\d+ bytes, with secrets$/)
      // What comes after is not in it, and the shop was not disturbed.
      await addRecords(database.db, 'open', 1)
      await anchor(database, network)
      assert.equal(await verdictOf(database, network, 'open'), 'verified')
    }
    assert.deepEqual(await readdir(disk.path), ['one.backup'], 'nothing is left beside it')
    assert.ok(!(await readdir(shop.config.DATA_DIR)).includes('database.copy'))
    assert.ok(!(await readFile(file)).includes(Buffer.from('a picture')))

    await using other = await make()
    const there = await shopAt(other, network)
    const again = { ...there.env, BEFAQT_PASSPHRASE: PASSPHRASE }
    const restored = await befaqt(again, ['restore', file])
    assert.equal(restored.status, 1, restored.said)
    assert.match(restored.said, /The ledger holds 1 newer anchors, with 1 records/)
    assert.match(restored.said, /1 boxes may lack records\. Next: npm run -s ledger:recover/)
    const keyFile = (dir: string): Promise<string> => readFile(join(dir, 'secret.key'), 'utf8')
    assert.equal(await keyFile(there.config.DATA_DIR), await keyFile(shop.config.DATA_DIR))
    assert.equal(Buffer.from((await there.store.read(key)) ?? []).toString(), 'a picture')
    await using database = await open(other)
    const [odd] = await rows<{ value: string }>(
      database.db,
      sql`select value from installation where name = ${ODD}`,
    )
    assert.equal(odd?.value, ODD)
    assert.equal(await verdictOf(database, network, 'sealed'), 'verified')
    assert.equal(await verdictOf(database, network, 'open'), 'incomplete', 'which is true')
    await addBox(database.db, 'new') // numbers go on, triggers and references are back
    await addRecords(database.db, 'new', 1)
    const [grown] = await rows(database.db, sql`select 1 from grown_boxes where box_id = 'new'`)
    assert.ok(grown)
    const orphan = sql`insert into product_boxes (product_id, box_id, unit) values ('none', 'new', 'kg')`
    await assert.rejects(rows(database.db, orphan))
  })

  test(`${kind}: every row, index, reference and sequence of the shop is there again`, { skip }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    const shop = await shopAt(place, network)
    {
      await using database = await open(place)
      await fill(database, shop, network)
    }
    const bytes = await buffer(backup(wanted(shop)))
    // Into the other kind of database too: a shop that outgrew the embedded one moves so.
    for (const target of skip || testPostgresUrl === undefined
      ? [make]
      : [restorableEmbedded, restorablePostgres]) {
      await using other = await target()
      const there = await shopAt(other, network)
      const chainId = await network.chain.chainId()
      const { missing, leftOut, foot } = await restore(once(bytes), {
        ...there,
        passphrase: undefined,
        chainId,
        progress,
      })
      assert.deepEqual([missing, leftOut, foot.objects], [[], [], 1])
      const [before, after] = [await rowsAt(shop), await rowsAt(there)]
      assert.deepEqual(after, before)
      assert.ok((before.get('public.records') ?? '').length > 100)
      await using was = await open(place)
      await using is = await open(other)
      assert.deepEqual(await shapeOf(is), await shapeOf(was))
    }
  })

  test(`${kind}: a backup of a shop that takes records holds whole transactions of one moment`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    const shop = await shopAt(place, network)
    await using database = await open(place)
    await fill(database, shop, network)
    let isOver = false
    const writing = (async () => {
      while (!isOver) {
        await addRecords(database.db, 'open', 2)
        await setImmediate() // the embedded database has no pauses of its own
      }
    })()
    const bytes = await buffer(backup(wanted(shop))).finally(() => {
      isOver = true
    })
    await writing
    await using other = await make()
    const there = await shopAt(other, network)
    await restore(once(bytes), { ...there, passphrase: undefined, chainId: undefined, progress })
    await using restored = await open(other)
    const [box] = await rows<{ count: number; records: number }>(
      restored.db,
      sql`select count, (select count(*)::int from records where box_id = 'open') as records from boxes where id = 'open'`,
    )
    assert.equal(box?.count, box?.records)
    await anchor(restored, network).catch(() => undefined)
    assert.equal(await verdictOf(restored, network, 'sealed'), 'verified')
  })
}

test('files of an S3 store are in the backup, and restored into another store', async () => {
  await using network = await testNetwork()
  await using s3 = await openS3()
  await using place = await restorableEmbedded()
  const inBucket = { ...place, env: { ...place.env, FILES_URL: s3.url() } }
  const shop = await shopAt(inBucket, network)
  let key = ''
  {
    await using database = await open(place)
    key = await fill(database, shop, network)
  }
  const bytes = await buffer(backup(wanted(shop)))
  await using other = await restorableEmbedded()
  const there = await shopAt(other, network)
  await restore(once(bytes), { ...there, passphrase: undefined, chainId: undefined, progress })
  assert.equal(Buffer.from((await there.store.read(key)) ?? []).toString(), 'a picture')
})

test('a file that is damaged or gone is named, not taken as it is', async () => {
  await using network = await testNetwork()
  await using place = await restorableEmbedded()
  const shop = await shopAt(place, network)
  let key = ''
  {
    await using database = await open(place)
    key = await fill(database, shop, network)
  }
  await writeFile(join(shop.config.DATA_DIR, 'files', key), 'b picture')
  await using disk = await folder()
  const made = await befaqt(shop.env, ['backup', join(disk.path, 'b'), '--without-secrets'])
  assert.equal(made.status, 1, made.said)
  assert.ok(
    made.said.includes(`1 files that rows name are not in the store, or damaged`) && made.said.includes(key),
  )
  await using other = await restorableEmbedded()
  const restored = await befaqt((await shopAt(other, network)).env, ['restore', join(disk.path, 'b')])
  assert.equal(restored.status, 1, restored.said)
  assert.ok(restored.said.includes(`1 files that rows name are not in the backup: ${key}`))
  assert.match(restored.said, /holds no secret\.key: put the shop's into/)
})

const open = async (place: Restorable) => {
  const database = await place.open()
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** Indexes, constraints, triggers that are on, and where sequences stand. */
const shapeOf = async ({ db }: { db: Parameters<typeof rows>[0] }) =>
  rows(
    db,
    sql`select indexdef as line from pg_indexes where schemaname in ('public', 'protocol_1', 'drizzle')
      union all select conrelid::regclass || ' ' || conname || ' ' || contype::text || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where connamespace in ('public'::regnamespace, 'protocol_1'::regnamespace) and contype <> 'n'
      union all select tgrelid::regclass || ' ' || tgname || tgenabled::text from pg_trigger where not tgisinternal
      union all select schemaname || '.' || sequencename || ' ' || coalesce(last_value, 0) from pg_sequences where schemaname <> 'drizzle'
      order by 1`,
  )
