import assert from 'node:assert/strict'
import { chmod, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'drizzle-orm'
import { readConfig } from '#server/config/config.ts'
import { type Database, rows } from '#server/db/client.ts'
import { befaqt, fill, shopAt } from '#server/testing/backups.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { overHttp } from '#server/testing/edr-over-http.ts'
import { testNetwork } from '#server/testing/network.ts'
import { restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { freePort } from '../../../tools/test/free-port.ts'
import { doctor } from './doctor.ts'
import type { Finding } from './finding.ts'

const kinds = [
  { kind: 'embedded', make: restorableEmbedded, skip: false },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
]

const wrongOf = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ level }) => level === 'warning' || level === 'fault')
    .map(({ check, level, words }) => `${level} ${check}: ${words}`)

/** What the command says with these settings, as JSON. */
async function commanded(env: Record<string, string>, ...more: string[]) {
  const { status, printed, said } = await befaqt(env, ['doctor', '--json', ...more])
  assert.equal(said, '')
  const { ok, findings } = JSON.parse(printed) as { ok: boolean; findings: Finding[] }
  assert.equal(status, ok ? 0 : 1)
  return { ok, findings, wrong: wrongOf(findings), printed }
}

/** What is found with these settings. */
async function asked(env: Record<string, string>, deep = false) {
  const findings: Finding[] = []
  for await (const finding of doctor({ config: readConfig(env), deep })) findings.push(finding)
  return { findings, wrong: wrongOf(findings) }
}

/** Names, sizes and times of all that is in a folder but its locks. */
async function listing(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => !name.startsWith('in-use'))
  const lines = names.map(async (name) => {
    const { size, mtimeMs } = await stat(join(folder, name))
    return `${name} ${size} ${mtimeMs}`
  })
  return (await Promise.all(lines)).sort()
}

for (const { kind, make, skip } of kinds) {
  test(`${kind}: a shop that is well is said to be, whether it runs or not, and nothing of it changes`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    const shop = await shopAt(place, network)
    const env = { ...shop.env, PORT: `${await freePort()}` }
    {
      await using database = await opened(place)
      await fill(database, shop, network)
      const running = await commanded(env, '--deep')
      assert.deepEqual(running.wrong, [])
      assert.equal(running.ok, true)
      assert.ok(running.findings.some(({ check, level }) => check === 'sums of sales' && level === 'ok'))
      if (kind === 'embedded') {
        const { findings } = await asked(env)
        assert.match(findings.map(({ words }) => words).join(), /The shop has its database open/)
      }
      assert.deepEqual(
        (await readdir(shop.config.DATA_DIR)).filter((name) => name === 'database.copy'),
        [],
      )
    }
    const before = await listing(shop.config.DATA_DIR)
    const stopped = await commanded(env, '--deep')
    assert.deepEqual(stopped.wrong, [])
    assert.equal(stopped.ok, true)
    assert.ok(
      stopped.findings.some(({ check, words }) => check === 'files' && /1 files are there, each/.test(words)),
    )
    assert.deepEqual(await listing(shop.config.DATA_DIR), before)
  })

  test(`${kind}: what is wrong in rows and files is named, with what to do, and the exit status tells`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    const shop = await shopAt(place, network)
    const TIMESTAMP_URL = 'http://me:secret@stamps.example/'
    const env = { ...shop.env, PORT: `${await freePort()}`, TIMESTAMP_URL }
    const { DATA_DIR } = shop.config
    let key = ''
    {
      await using database = await opened(place)
      const { db } = database
      key = await fill(database, shop, network)
      await rows(
        db,
        sql`insert into jobs (queue, payload, run_at, failed_at, last_error) values
            ('slow', '{}', now() - interval '1 hour', null, null),
            ('broken', '{}', now(), now(), 'x'), ('mail.send', '{}', now(), now(), 'x')`,
      )
      await rows(db, sql`update ledgers set fault = 'The ledger is gone.'`)
      await rows(db, sql`update boxes set held_back = true where id = 'sealed'`)
      await rows(db, sql`delete from map_nodes`)
      await rows(
        db,
        sql`insert into box_sums (box_id, measure, day, bought, sold, lost, excellent, good, use_soon, over)
            values ('open', 'grams', '2026-01-01', 1, 0, 0, 0, 0, 0, 0)`,
      )
      await rows(
        db,
        sql`insert into sales_sums (what, period, key, orders, grams, pieces, revenue, gst, discounts, coupons, refunds)
            values ('all', '2026', '', 1, 0, 0, 0, 0, 0, 0, 0)`,
      )
      await rows(db, sql`insert into log_entries values (0, '{}')`)
    }
    await rm(join(DATA_DIR, 'files', key))
    const orphan = join(DATA_DIR, 'files', 'orphan.webp')
    await writeFile(orphan, 'x')
    await utimes(orphan, 1, 1)
    await writeFile(join(DATA_DIR, 'secret.key'), `${'ab'.repeat(32)}\n`)
    await chmod(join(DATA_DIR, 'secret.key'), 0o644)
    const { wrong, findings } = await asked(env, true)
    const all = wrong.join('\n')
    assert.match(all, /warning jobs: Jobs wait that are due: 1 of slow, for \d+ min/)
    assert.match(all, /warning jobs: 1 jobs of broken failed for good/)
    assert.match(all, /warning jobs: 1 emails could not be sent/)
    assert.match(all, /fault anchors: The ledger is gone\./)
    assert.match(all, /warning anchors: 1 boxes are held back/)
    assert.match(all, /fault key: .*secret\.key is not the key that this database was written with/)
    assert.match(all, /warning folder: Others than its owner may read .*secret\.key/)
    assert.ok(
      all.includes(
        `fault files: 1 of 1 files that rows name are not there, or not as they were stored: ${key}`,
      ),
    )
    assert.ok(findings.some(({ check, words }) => check === 'stamps' && /nothing to stamp/.test(words)))
    assert.ok(findings.some(({ check, words }) => check === 'archives' && /0 were read/.test(words)))
    assert.match(all, /fault boxes: open, box map: anchor 0: /)
    assert.match(all, /fault sums of boxes: box open is in reports otherwise/)
    assert.match(all, /fault sums of sales: the sum of all /)
    assert.match(all, /fault log of anchors: /)
    assert.ok(findings.some(({ words }) => words.includes('1 files in') && words.includes('orphan.webp')))
    assert.ok(
      findings.every(({ level, todo }) => (level === 'ok' || level === 'note') === (todo === undefined)),
    )
    await rm(join(DATA_DIR, 'secret.key'))
    assert.match((await asked(env)).wrong.join(), /fault key: .*secret\.key is not there/)
  })

  test(`${kind}: a ledger that is ahead, another chain, a chain that is away and a clock that is behind are named`, {
    skip,
  }, async () => {
    await using place = await make()
    await using network = await testNetwork()
    const shop = await shopAt(place, network)
    const env = { ...shop.env, PORT: `${await freePort()}` }
    {
      await using database = await opened(place)
      await fill(database, shop, network)
      await rows(database.db, sql`create table kept as select * from anchors`)
      await rows(database.db, sql`delete from anchor_leaves`)
      await rows(database.db, sql`delete from anchors`)
    }
    assert.match(
      (await asked(env)).wrong.join(),
      /fault chain: The ledger holds 1 anchors that this database does not know/,
    )
    const CHAIN_CONTRACT = `0x${'1'.repeat(40)}`
    assert.match(
      (await asked({ ...env, CHAIN_CONTRACT })).wrong.join(),
      /fault chain: CHAIN_CONTRACT is 0x1+, and this/,
    )
    const CHAIN_RPC_URL = `http://127.0.0.1:${await freePort()}/v3/0123456789abcdef0123`
    const away = await asked({ ...env, CHAIN_RPC_URL })
    assert.match(away.wrong.join(), /fault chain: CHAIN_RPC_URL: 127\.0\.0\.1:\d+ does not answer/)
    assert.ok(!away.wrong.join().includes('0123456789abcdef0123'))
    await using second = await overHttp((request) => network.node.rpc(request))
    const nodes = [network.http.url, second.url, CHAIN_RPC_URL]
    const three = (await asked({ ...env, CHAIN_RPC_URL: nodes.join(', ') })).wrong.join('\n')
    assert.match(three, /warning chain: CHAIN_RPC_URL: 3 of 3 \(127\.0\.0\.1:\d+\) does not answer/)
    assert.match(three, /fault chain: The ledger holds 1 anchors/, 'two that agree are believed')
    assert.ok(!three.includes('0123456789abcdef0123'))
    const two = (await asked({ ...env, CHAIN_RPC_URL: nodes.slice(1).join() })).wrong.join('\n')
    assert.match(two, /fault chain: CHAIN_RPC_URL: fewer than two of 2 nodes answer/)
    const later = Math.floor(Date.now() / 1000) + 630 // ten minutes, and what this takes
    await network.node.rpc({ method: 'evm_setNextBlockTimestamp', params: [later] })
    await network.mine()
    {
      await using database = await opened(place)
      await rows(database.db, sql`insert into anchors select * from kept`)
      await rows(database.db, sql`update anchors set block_time = ${later}`)
    }
    const behind = (await asked(env)).wrong.join('\n')
    assert.match(behind, /fault chain: The clock of this machine is (9|10) min behind the newest block/)
    assert.match(behind, /fault anchors: The clock of this machine is behind: the newest anchor/)
    await network.reset()
    assert.match((await asked(env)).wrong.join(), /fault chain: Chain 31337 has no contract at 0x/)
  })
}

test('services that refuse or hang are named within their time, and no secret is printed', async () => {
  await using place = await restorableEmbedded()
  const hangs = createServer(() => undefined).listen(0, '127.0.0.1')
  const port = await new Promise<number>((resolve) =>
    hangs.on('listening', () => {
      const address = hangs.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    }),
  )
  const secrets = [
    'pass-of-database',
    'pass/of+mail',
    'pass-of-broker',
    'key-of-the-bucket',
    `0x${'ab'.repeat(32)}`,
  ]
  const env = {
    ...place.env,
    PORT: `${port}`,
    DATABASE_URL: `postgres://me:${secrets[0]}@nowhere.invalid,127.0.0.1:${await freePort()}/shop`,
    SMTP_URL: `smtp://me:${encodeURIComponent(secrets[1] ?? '')}@127.0.0.1:${await freePort()}`,
    MQTT_URL: `mqtt://me:${secrets[2]}@127.0.0.1:${port}`,
    FILES_URL: `s3://bucket?endpoint=http://127.0.0.1:${await freePort()}&secretAccessKey=${secrets[3]}`,
    CHAIN_RPC_URL: `http://127.0.0.1:${port}/`,
    CHAIN_PRIVATE_KEY: secrets[4] ?? '',
    ADMIN_PASSWORD: 'pass-of-admin',
    ADMIN_EMAIL: 'a@example.com',
    PUBLIC_URL: 'http://shop.example',
  }
  const { ok, wrong, printed } = await commanded(env)
  hangs.close()
  assert.equal(ok, false)
  const all = wrong.join('\n')
  assert.match(
    all,
    /fault database: .*unknown host nowhere\.invalid|fault database: .*DNS lookup of nowhere\.invalid/,
  )
  assert.match(all, /fault database: .*connection refused by 127\.0\.0\.1/)
  assert.match(all, /fault mail: SMTP_URL: 127\.0\.0\.1:\d+: The mail server can’t be reached/)
  assert.match(all, /fault broker: MQTT_URL: 127\.0\.0\.1:\d+/)
  assert.match(all, /chain: /)
  assert.match(
    all,
    /fault process: What listens at http:\/\/127\.0\.0\.1:\d+ does not say whether it is ready/,
  )
  assert.match(all, /warning settings: PUBLIC_URL: http:\/\/shop\.example has no HTTPS/)
  for (const secret of [...secrets, 'pass-of-admin', encodeURIComponent('pass/of+mail')])
    assert.ok(!printed.includes(secret), secret)
  const broken = await commanded({ ...place.env, SMTP_URL: 'http://me:pass-of-mail@mail', PORT: 'x' })
  assert.match(
    broken.wrong.join(),
    /^fault settings: Wrong setting\. PORT: must be a number\. SMTP_URL: must be/,
  )
  assert.ok(!broken.printed.includes('pass-of-mail'))
})

test('a folder that is read only, or full, is named', async (t) => {
  const { smallDisk } = await import('#server/testing/small-disk.ts')
  const mounted = await smallDisk(8)
  if ('why' in mounted) return t.skip(mounted.why)
  await using disk = mounted
  const env = { DATA_DIR: disk.folder, PORT: `${await freePort()}` }
  assert.match((await asked(env)).wrong.join(), /fault folder: \d+ MiB are left where/)
  await disk.lock()
  assert.match(
    (await asked(env)).wrong.join(),
    /fault folder: .* can't be read and written by this user: .*EROFS/,
  )
})

const opened = async (place: { open(): Promise<Database> }) => {
  const database = await place.open()
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}
