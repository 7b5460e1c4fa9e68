import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { rows } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import { claimObject, contentName, putObject } from '#server/files/objects.ts'
import { befaqt, fill, shopAt, verdictOf, wanted } from '#server/testing/backups.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { type TestNetwork, testNetwork } from '#server/testing/network.ts'
import { type Restorable, restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { smallDisk } from '#server/testing/small-disk.ts'
import { writeBackup } from './backup-file.ts'
import { backup } from './make-backup.ts'
import { restore } from './restore-backup.ts'

const kinds = [
  { kind: 'embedded', make: restorableEmbedded, skip: false },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
]
const PASSPHRASE = 'a passphrase of these tests'
const progress = (): void => undefined

/** A chain, and backups of a shop that anchors there: with some megabytes, so that they have several frames. */
async function backedUp() {
  const network = await testNetwork()
  return { network, ...(await backups(network)) }
}

async function backups(network: TestNetwork) {
  await using place = await restorableEmbedded()
  const shop = await shopAt(place, network)
  const database = await place.open()
  try {
    const first = await fill(database, shop, network)
    // Objects are in the order of their names, and the large one is to be the last: it is the one that a cut takes.
    let bytes = randomBytes(3 << 20)
    while (contentName(bytes) < first) bytes = randomBytes(3 << 20)
    const objectKey = await putObject(database.db, shop.store, { bytes, extension: 'webp' })
    await database.db.transaction(async (tx) => {
      await claimObject(tx, objectKey)
      const row = { mediaType: 'image/webp', bytes: bytes.length, width: 1, height: 1, objectKey }
      await tx.insert(files).values({ ...row, path: 'large.webp' })
    })
    const plain = await buffer(backup(wanted(shop)))
    const sealed = await buffer(backup(wanted(shop, { passphrase: PASSPHRASE, secrets: true })))
    const future = sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 4102444800000)`
    await rows(database.db, future)
    const newer = await buffer(backup(wanted(shop)))
    return { plain, sealed, newer }
  } finally {
    await database.close()
  }
}

let made: Awaited<ReturnType<typeof backedUp>>
before(async () => {
  made = await backedUp()
})
after(() => made.network[Symbol.asyncDispose]())

/** How many tables, and what is in DATA_DIR beside the lock. */
async function found({ env }: Restorable): Promise<unknown> {
  const dataDir = env.DATA_DIR ?? ''
  const names = (await readdir(dataDir, { recursive: true }).catch(() => [])).filter(
    (name) => !/^(in-use\.\w+|files)$/.test(name),
  )
  if (env.DATABASE_URL === undefined) return { names }
  return {
    names,
    tables: await asked(
      env.DATABASE_URL,
      `select count(*)::int as n from pg_tables where schemaname in ('public', 'drizzle')`,
    ),
  }
}

async function asked(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ n: number }>(statement)).rows[0]?.n ?? 0
  } finally {
    await client.end()
  }
}

async function* inChunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}

for (const { kind, make, skip } of kinds) {
  test(`${kind}: what is not a whole backup of this shop and version is refused by name, and leaves nothing`, {
    skip,
  }, async () => {
    const { network, plain, sealed, newer } = made
    await using place = await make()
    const there = await shopAt(place, network)
    const chainId = await network.chain.chainId()
    const empty = await found(place)
    const refuse = async (bytes: Buffer, words: RegExp, more: object = {}): Promise<void> => {
      const asWanted = { ...there, passphrase: undefined, chainId, progress, ...more }
      await assert.rejects(restore(inChunks(bytes), asWanted), words)
      assert.deepEqual(await found(place), empty, `${words}`)
    }
    const passphrase = PASSPHRASE
    await refuse(sealed, /The passphrase is wrong/, { passphrase: 'another' })
    await refuse(sealed, /is encrypted/)
    await refuse(newer, /of a newer version of the shop \(tests\): it has 1 migrations/)
    await refuse(plain, /of a shop on chain 31337, and the settings name chain 1/, { chainId: 1 })
    const CHAIN_CONTRACT = `0x${'1'.repeat(40)}`
    await refuse(plain, /of another shop: it anchors in 0x/, { config: { ...there.config, CHAIN_CONTRACT } })
    await refuse(plain.subarray(0, 60), /Half a backup/)
    await refuse(plain.subarray(0, plain.length - 1), /Half a backup/)
    await refuse(sealed.subarray(0, sealed.length >> 1), /Half a backup/, { passphrase })
    const changed = Buffer.from(sealed)
    changed[changed.length - 30] = (changed[changed.length - 30] ?? 0) ^ 1
    await refuse(changed, /The backup is damaged/, { passphrase })

    await mkdir(there.config.DATA_DIR, { recursive: true })
    const key = join(there.config.DATA_DIR, 'secret.key')
    await writeFile(key, `${'ab'.repeat(32)}\n`)
    const other = { ...there, passphrase, chainId, progress }
    await assert.rejects(restore(inChunks(sealed), other), /of another shop: .*secret\.key is not the key/)
    await rm(key)
    assert.deepEqual(await found(place), empty)

    // After all that the same place takes the right one.
    await restore(inChunks(sealed), other)
    await assert.rejects(restore(inChunks(sealed), other), /is not empty|holds a shop already/)
    const database = await place.open()
    assert.equal(await verdictOf(database, network, 'open'), 'verified')
    await database.close()
  })

  test(`${kind}: a restore that is killed in the middle leaves nothing that a shop sees, and is repeated`, {
    skip,
  }, async () => {
    const { network, sealed } = made
    await using place = await make()
    const { env, config } = await shopAt(place, network)
    const more = { ...env, BEFAQT_PASSPHRASE: PASSPHRASE }
    const isUnderWay = async (): Promise<boolean> => {
      const files = await readdir(join(config.DATA_DIR, 'files')).catch(() => [])
      return files.length > 0 // all rows are there, and not yet the last object
    }
    const killed = await befaqt(more, ['restore', '-'], async (child: ChildProcess) => {
      child.stdin?.write(sealed.subarray(0, sealed.length - 200_000))
      while (!(await isUnderWay())) await sleep(50)
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    assert.equal(killed.status, null)
    if (env.DATABASE_URL === undefined)
      await assert.rejects(access(join(config.DATA_DIR, 'database')), /ENOENT/)
    else while ((await asked(env.DATABASE_URL, sessions)) > 0) await sleep(50) // the server notices
    const tables = `select count(*)::int as n from pg_tables where schemaname in ('public', 'drizzle')`
    if (env.DATABASE_URL !== undefined) assert.equal(await asked(env.DATABASE_URL, tables), 0)
    const again = await befaqt(more, ['restore', '-'], async (child: ChildProcess) => {
      child.stdin?.write(sealed)
    })
    assert.equal(again.status, 0, again.said)
    assert.match(again.said, /It knows every anchor of the ledger/)
    assert.ok(!(await readdir(config.DATA_DIR)).includes('restoring'))
  })
}

const sessions = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

test('PostgreSQL: a backup that is killed in the middle leaves no file of its name', {
  skip: withoutPostgres,
}, async () => {
  await using network = await testNetwork()
  await using place = await restorablePostgres()
  const shop = await shopAt(place, network)
  const folder = await mkdtemp(join(tmpdir(), 'befaqt-backup-'))
  const database = await place.open()
  try {
    await fill(database, shop, network)
    // It waits for a table that is locked, with its file open.
    await database.db.transaction(async (tx) => {
      await rows(tx, sql`lock table records in access exclusive mode`)
      const killed = await befaqt(
        shop.env,
        ['backup', join(folder, 'x'), '--without-secrets'],
        async (child) => {
          while ((await readdir(folder)).length === 0) await sleep(50)
          child.kill('SIGKILL')
          await once(child, 'exit')
        },
      )
      assert.equal(killed.status, null)
    })
    const [partial = '', ...more] = await readdir(folder)
    assert.match(partial, /^x\.\w+\.partial$/)
    assert.deepEqual(more, [])
    const refused = await befaqt(shop.env, ['restore', join(folder, partial)])
    assert.equal(refused.status, 2)
    assert.match(refused.said, /Half a backup|is empty/)
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a full disk, a read-only one and a file that is there are said by name, and nothing is left', async (t) => {
  const mounted = await smallDisk(24)
  if ('why' in mounted) return t.skip(mounted.why)
  await using disk = mounted
  const { network, plain, sealed } = made
  const dataDir = join(disk.folder, 'data')
  const there = await shopAt({ env: { DATA_DIR: dataDir } }, network)
  const asWanted = { ...there, passphrase: PASSPHRASE, chainId: undefined, progress }
  await assert.rejects(restore(inChunks(sealed), asWanted), /The disk is full/)
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => !/^(in-use\.db|files)$/.test(name)),
    [],
  )

  const path = join(disk.folder, 'a.backup')
  await writeBackup(path, inChunks(plain))
  await assert.rejects(writeBackup(path, inChunks(plain)), /is there already/)
  await disk.fill()
  const other = join(disk.folder, 'b.backup')
  await assert.rejects(writeBackup(other, inChunks(plain)), /The disk is full/)
  assert.deepEqual((await readdir(disk.folder)).sort(), ['a.backup', 'data', 'filler'])

  const readOnly = await smallDisk(1)
  assert.ok(!('why' in readOnly))
  await using locked = readOnly
  await locked.lock()
  const refused = join(locked.folder, 'c.backup')
  await assert.rejects(writeBackup(refused, inChunks(plain)), /can't be written: its folder is read-only/)
  const elsewhere = await shopAt({ env: { DATA_DIR: join(locked.folder, 'more') } }, network)
  const intoIt = restore(inChunks(sealed), { ...asWanted, ...elsewhere })
  await assert.rejects(intoIt, /DATA_DIR: the folder .* cannot be created|can't be written/)
})
