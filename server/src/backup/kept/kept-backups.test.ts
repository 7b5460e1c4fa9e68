import assert from 'node:assert/strict'
import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BackupList } from '@befaqt/domain/backup'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@befaqt/domain/durations'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { z } from 'zod'
import { rows } from '#server/db/client.ts'
import { fill, shopAt, verdictOf } from '#server/testing/backups.ts'
import { type Caller, callerOf } from '#server/testing/caller.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { type TestNetwork, testNetwork } from '#server/testing/network.ts'
import { type Restorable, restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { testShop } from '#server/testing/shop.ts'
import { smallDisk } from '#server/testing/small-disk.ts'
import { noteDrill } from '../last-drill.ts'
import { restore } from '../restore-backup.ts'

const kinds = [
  { kind: 'embedded', make: restorableEmbedded, skip: false },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
]
const PASSPHRASE = 'a passphrase of these tests'

/** A shop with boxes and a file, its owner, and a clock that can be put on. */
async function ownedShop(place: Restorable, network: TestNetwork, more: Record<string, string> = {}) {
  const { env, config, store } = await shopAt(place, network)
  let ahead = 0
  const open = async () => {
    const database = await place.open()
    await fill(database, { config, store }, network)
    return { ...database, [Symbol.asyncDispose]: () => database.close() }
  }
  const shop = await testShop({
    env: { ...env, ...more },
    open,
    deps: { now: () => new Date(Date.now() + ahead) },
  })
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  return {
    ...shop,
    owner,
    folder: more.BACKUP_DIR ?? join(config.DATA_DIR, 'backups'),
    wait: (ms: number) => {
      ahead += ms
    },
    list: () => listOf(owner),
  }
}

const listOf = async (owner: Caller): Promise<BackupList> =>
  BackupList.parse((await owner('GET', '/api/manage/backup')).json())

/** The list once nothing is being made. */
async function finished(list: () => Promise<BackupList>): Promise<BackupList> {
  for (;;) {
    const found = await list()
    if (found.making === null) return found
    await sleep(50)
  }
}

for (const { kind, make, skip } of kinds)
  test(`${kind}: a backup is made at the desk, downloaded in pieces, a shop comes of it, and it is deleted`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    await using shop = await ownedShop(place, network)
    const { owner } = shop
    const never = await shop.list()
    assert.deepEqual([never.backups, never.making, never.failed, never.drill], [[], null, null, null])
    assert.ok(never.besideShop && !never.hasPassphrase && !never.drills && (never.freeBytes ?? 0) > 0)

    const wanted = { seal: 'typed', passphrase: PASSPHRASE, secrets: true }
    for (const [body, field] of [
      [{ seal: 'none', secrets: true }, 'secrets'],
      [{ seal: 'typed', passphrase: 'short' }, 'passphrase'],
      [{ seal: 'shop' }, 'seal'],
    ] as const) {
      const refused = await owner('POST', '/api/manage/backup', body)
      assert.deepEqual([refused.statusCode, refused.json().error.fields[0].path], [400, field])
    }
    const begun = await owner('POST', '/api/manage/backup', wanted)
    assert.equal(begun.statusCode, 202, begun.body)
    const { name } = begun.json()
    const { backups, failed } = await finished(shop.list)
    assert.deepEqual([failed, backups.length], [null, 1])
    const [kept] = backups
    assert.ok(kept?.made)
    assert.deepEqual(
      [kept.name, kept.encrypted, kept.made.secrets, kept.made.objects, kept.made.missing],
      [name, true, true, 1, []],
    )
    assert.ok(kept.made.rows > 10 && /^\d+\.\d+\.\d+/.test(kept.made.version))
    const files = (await readdir(shop.folder)).filter((one) => !one.startsWith('in-use'))
    assert.deepEqual(files.sort(), [name, `${name}.json`])

    const at = `/api/manage/backup/${name}/file`
    assert.equal((await owner('GET', at)).statusCode, 403, 'without a ticket')
    const { href } = (await owner('POST', `/api/manage/backup/${name}/link`)).json()
    for (const bad of ['none', 'none.backup', '..%2f..%2fsecret.key', '%2e%2e.backup'])
      assert.equal((await owner('POST', `/api/manage/backup/${bad}/link`)).statusCode, 404, bad)
    const whole = await owner('GET', href)
    const { etag } = whole.headers
    assert.deepEqual([whole.statusCode, whole.headers['content-length']], [200, String(kept.bytes)])
    assert.ok(whole.rawPayload.equals(await readFile(join(shop.folder, name))))
    shop.wait(6 * HOUR_MS) // after which a password would have to be typed again
    const first = await owner('GET', href, undefined, { range: 'bytes=0-999' })
    const rest = await owner('GET', href, undefined, { range: 'bytes=1000-', 'if-range': String(etag) })
    assert.deepEqual([first.statusCode, rest.statusCode], [206, 206])
    assert.equal(rest.headers['content-range'], `bytes 1000-${kept.bytes - 1}/${kept.bytes}`)
    assert.ok(Buffer.concat([first.rawPayload, rest.rawPayload]).equals(whole.rawPayload))
    const changed = await owner('GET', href, undefined, { range: 'bytes=9-', 'if-range': '"other"' })
    assert.deepEqual([changed.statusCode, changed.rawPayload.length], [200, kept.bytes])
    assert.equal((await owner('GET', href, undefined, { range: `bytes=${kept.bytes}-` })).statusCode, 416)
    const other = await callerOf(shop, 'otto', 'ADMIN')
    assert.equal((await other('GET', href)).statusCode, 403, 'it is another’s')
    shop.wait(7 * HOUR_MS)
    assert.equal((await owner('GET', href)).statusCode, 403, 'its time is over')

    await using elsewhere = await make()
    const there = await shopAt(elsewhere, network)
    const bytes = (async function* () {
      yield whole.rawPayload
    })()
    await restore(bytes, { ...there, passphrase: PASSPHRASE, chainId: undefined, progress: () => undefined })
    const restored = await elsewhere.open()
    assert.equal(await verdictOf(restored, network, 'sealed'), 'verified')
    await restored.close()

    for (const [method, url, body] of [
      ['POST', '/api/manage/backup', wanted],
      ['POST', `/api/manage/backup/${name}/link`, undefined],
      ['DELETE', `/api/manage/backup/${name}`, undefined],
    ] as const)
      assert.equal((await owner(method, url, body)).json().error.code, 'auth.confirm', `${method} ${url}`)
    const third = await callerOf(shop, 'theo', 'ADMIN')
    assert.equal((await third('DELETE', `/api/manage/backup/${name}`)).statusCode, 204)
    assert.deepEqual((await shop.list()).backups, [])
    const audited = await rows<{ who: string; action: string }>(
      shop.deps.db,
      sql`select who, action from changes where entity = 'backup' and entity_id = ${name} order by id`,
    )
    assert.deepEqual(audited, [
      { who: 'olga', action: 'create' },
      { who: 'theo', action: 'delete' },
    ])
  })

test('PostgreSQL: one at a time is made; it is stopped by whoever, killed or with the shop, and nothing half is left', {
  skip: withoutPostgres,
}, async () => {
  await using place = await restorablePostgres()
  await using network = await testNetwork()
  const shop = await ownedShop(place, network, { BACKUP_PASSPHRASE: PASSPHRASE })
  const { owner, folder } = shop
  const names = async () => (await readdir(folder)).filter((one) => !one.startsWith('in-use')).sort()
  const make = () => owner('POST', '/api/manage/backup', { seal: 'shop' })
  const partials = async () => (await names()).filter((one) => one.endsWith('.partial'))
  const untilPartial = async () => {
    while ((await partials()).length === 0) await sleep(20)
  }
  /** Runs while a backup waits for a locked table, with its file open. */
  const whileMade = async (work: (name: string) => Promise<void>) => {
    const other = new pg.Client({ connectionString: shop.deps.config.DATABASE_URL }) // without limits of time
    await other.connect()
    try {
      await other.query('begin; lock table records in access exclusive mode')
      const begun = await make()
      assert.equal(begun.statusCode, 202, begun.body)
      await untilPartial()
      await work(begun.json().name)
    } finally {
      await other.end()
    }
  }
  await whileMade(async (name) => {
    const { making, backups } = await shop.list()
    assert.deepEqual([making?.name, backups], [name, []])
    const second = await make()
    assert.deepEqual([second.statusCode, second.json().error.message], [409, 'Another backup is being made.'])
    assert.equal((await owner('POST', '/api/manage/backup/stop')).statusCode, 204)
    const { failed } = await finished(shop.list)
    assert.match(failed?.words ?? '', /stopped: nothing of it is left/)
    assert.deepEqual(await names(), ['failed.json'])
  })
  await whileMade(async () => {
    const pid = Number((await readFile(join(folder, 'in-use.lock'), 'utf8')).split(' ')[0])
    process.kill(pid, 'SIGKILL')
    const { making, backups } = await finished(shop.list)
    assert.deepEqual([making, backups], [null, []])
    assert.equal((await partials()).length, 1, 'which the next removes')
  })
  shop.wait(MINUTE_MS) // which gives it another name
  assert.equal((await make()).statusCode, 202)
  const { backups, failed } = await finished(shop.list)
  assert.deepEqual([backups.length, backups[0]?.encrypted, failed], [1, true, null])
  assert.equal((await names()).length, 2)
  shop.wait(MINUTE_MS)
  await whileMade(async () => {
    await shop.app.close()
    assert.deepEqual(await partials(), [])
    await assert.rejects(access(join(folder, 'making.json')), /ENOENT/)
  })
  await shop[Symbol.asyncDispose]()
})

test('a folder that can’t be used, and a disk that fills up, are said as what they are', async (t) => {
  const mounted = await smallDisk(3)
  if ('why' in mounted) return t.skip(mounted.why)
  await using disk = mounted
  await using place = await restorableEmbedded()
  await using network = await testNetwork()
  await using shop = await ownedShop(place, network, { BACKUP_DIR: join(disk.folder, 'kept') })
  const make = () => shop.owner('POST', '/api/manage/backup', { seal: 'none' })
  assert.equal((await make()).statusCode, 202)
  const { backups, besideShop, drills } = await finished(shop.list)
  assert.deepEqual([backups.length, besideShop, drills], [1, false, true])
  await disk.fill()
  shop.wait(MINUTE_MS)
  const full = await make()
  const words =
    full.statusCode === 202 ? (await finished(shop.list)).failed?.words : full.json().error.message
  assert.match(words ?? '', /disk is full|no space|database or disk is full/i)
  assert.equal((await shop.list()).backups.length, 1, 'the one before is there')
  await disk.empty()
  await disk.lock()
  const locked = await make()
  assert.equal(locked.statusCode, 409, locked.body)
  assert.match(locked.json().error.message, /read-only|cannot be written|can't be written/)
})

test('that no shop came of a backup, or that none was tried for weeks, is told to owners, and no others', async () => {
  await using shop = await testShop({ env: { BACKUP_DIR: '/nowhere/backups' } })
  const { DATA_DIR } = shop.deps.config
  const owner = await callerOf(shop, 'olga', 'ADMIN')
  const packer = await callerOf(shop, 'pat', 'USER', ['site:write'])
  const told = async (by: Caller): Promise<string[]> =>
    z
      .array(z.object({ kind: z.string(), words: z.string() }))
      .parse((await by('GET', '/api/manage/attention')).json())
      .filter(({ kind }) => kind === 'drill')
      .map(({ words }) => words)
  const note = (at: Date, problems: string[]) =>
    noteDrill(DATA_DIR, {
      ...{ at: at.toISOString(), ok: problems.length === 0, problems },
      ...{ backup: 'a.backup', madeAt: at.toISOString(), tookS: 1 },
    })
  assert.deepEqual(await told(owner), [])
  await note(new Date(Date.now() - 20 * DAY_MS), [])
  assert.match((await told(owner)).join(), /no backup was tried for 20 days/)
  await note(new Date(), [])
  assert.deepEqual(await told(owner), [])
  await note(new Date(), ['B-1 is broken'])
  assert.match((await told(owner)).join(), /no shop came of the newest backup/)
  assert.deepEqual(await told(packer), [])
  const { drill } = await listOf(owner)
  assert.deepEqual([drill?.ok, drill?.problems], [false, ['B-1 is broken']])
  assert.equal((await packer('GET', '/api/manage/backup')).statusCode, 403)
})

test('what lies in the folder beside whole backups is none, and a file that only has the name is named', async () => {
  await using place = await restorableEmbedded()
  await using network = await testNetwork()
  await using shop = await ownedShop(place, network)
  assert.equal((await shop.owner('POST', '/api/manage/backup', { seal: 'none' })).statusCode, 202)
  const [{ name } = { name: '' }] = (await finished(shop.list)).backups
  await rm(join(shop.folder, `${name}.json`))
  await writeFile(join(shop.folder, 'a.backup'), 'no backup')
  await writeFile(join(shop.folder, 'b.backup.0a1b2c3d.partial'), 'half')
  await writeFile(join(shop.folder, 'c.backup.json'), '{"rows": "odd"}')
  const { backups } = await shop.list()
  assert.deepEqual(
    backups.map((one) => [one.name, one.encrypted, one.made]).sort(),
    [
      [name, false, null],
      ['a.backup', null, null],
    ].sort(),
  )
})
