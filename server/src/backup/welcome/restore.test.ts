import assert from 'node:assert/strict'
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { checkSecretKey } from '#server/accounts/credentials/secret-key.ts'
import { rows } from '#server/db/client.ts'
import { loadSecrets } from '#server/secrets/secrets.ts'
import { fill, ODD, shopAt, verdictOf, wanted } from '#server/testing/backups.ts'
import { withoutPostgres } from '#server/testing/database.ts'
import { type TestNetwork, testNetwork } from '#server/testing/network.ts'
import { type Restorable, restorableEmbedded, restorablePostgres } from '#server/testing/restorable.ts'
import { askUntil, startWorkerProcess } from '#server/testing/worker-process.ts'
import { backup } from '../make-backup.ts'
import { restoreFolder, uploadedFile } from './restore-folder.ts'
import { stateOf } from './restore-state.ts'
import { type RestoreOrder, RestoreProcess } from './run-restore.ts'
import { decide, finishSwitch, RESTORED, sideOf, takePlace } from './switch-shops.ts'

const kinds = [
  { kind: 'embedded', make: restorableEmbedded, skip: false as const },
  { kind: 'PostgreSQL', make: restorablePostgres, skip: withoutPostgres },
]
const PASSPHRASE = 'a passphrase of these tests'

/** A chain, and backups of a shop that anchors there. */
async function backedUp() {
  const network = await testNetwork()
  return { network, ...(await backups(network)) }
}

async function backups(network: TestNetwork) {
  await using place = await restorableEmbedded()
  const shop = await shopAt(place, network)
  const database = await place.open()
  try {
    await fill(database, shop, network)
    const whole = await buffer(backup(wanted(shop, { passphrase: PASSPHRASE, secrets: true })))
    const keyless = await buffer(backup(wanted(shop)))
    const future = sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 4102444800000)`
    await rows(database.db, future)
    const newer = await buffer(backup(wanted(shop, { passphrase: PASSPHRASE, secrets: true })))
    const key = await readFile(join(shop.config.DATA_DIR, 'secret.key'), 'utf8')
    return { whole, keyless, newer, key }
  } finally {
    await database.close()
  }
}

let other: Awaited<ReturnType<typeof backedUp>>
before(async () => {
  other = await backedUp()
})
after(() => other.network[Symbol.asyncDispose]())

/** A bare shop after its first start, stopped; what restores it, and by what it is recognized. */
async function bareAt(place: Restorable, network: TestNetwork) {
  const { config } = await shopAt(place, network)
  const database = await place.open()
  await checkSecretKey(database.db, await loadSecrets(config.DATA_DIR), config.DATA_DIR)
  await rows(database.db, sql`insert into installation (name, value) values ('which', 'the bare one')`)
  await database.close()
  const folder = restoreFolder(config)
  await mkdir(folder, { recursive: true })
  const key = await readFile(join(config.DATA_DIR, 'secret.key'), 'utf8')
  const run = (what: RestoreOrder['what'], more: Partial<RestoreOrder> = {}): RestoreProcess =>
    new RestoreProcess({ what, config, passphrase: PASSPHRASE, owner: null, tab: 'x', ...more })
  return {
    ...{ config, folder, key, run },
    put: (bytes: Buffer) => writeFile(uploadedFile(folder), bytes),
    ended: async (what: RestoreOrder['what'], more: Partial<RestoreOrder> = {}) => {
      const process = run(what, more)
      const end = await process.ended
      await process.gone()
      return end
    },
    /** Of which shop the database and the key are, once a start has gone on with what was left. */
    which: async (): Promise<string> => {
      await finishSwitch(config)
      const opened = await place.open()
      try {
        const found = await rows<{ name: string }>(
          opened.db,
          sql`select name from installation where name in ('which', ${ODD})`,
        )
        await checkSecretKey(opened.db, await loadSecrets(config.DATA_DIR), config.DATA_DIR)
        return found.map(({ name }) => (name === ODD ? 'restored' : 'bare')).join()
      } finally {
        await opened.close()
      }
    },
  }
}

for (const { kind, make, skip } of kinds) {
  test(`${kind}: a bare shop is restored with the key of the other, and nothing of what is refused`, {
    skip,
  }, async () => {
    const { network, whole, keyless, newer, key } = other
    await using place = await make()
    const bare = await bareAt(place, network)
    const refuse = async (
      bytes: Buffer,
      words: RegExp,
      more: Partial<RestoreOrder> = {},
      inEarnest: readonly 'restore'[] = [],
    ): Promise<void> => {
      for (const what of ['check', ...inEarnest] as const) {
        await bare.put(bytes)
        const { ok, words: said } = await bare.ended(what, more)
        assert.deepEqual([ok, words.test(said.join())], [false, true], `${what}: ${said}`)
        if (what === 'restore') assert.equal(await bare.which(), 'bare', said.join())
        assert.deepEqual(
          (await readdir(bare.folder)).filter((name) => /^(shop|switch)/.test(name)),
          [],
        )
        assert.deepEqual((await stateOf(bare.folder))?.outcome?.words, said)
      }
    }
    await refuse(whole, /The passphrase is wrong/, { passphrase: 'another one of these' })
    await refuse(whole.subarray(0, whole.length >> 1), /Half a backup/, {}, ['restore'])
    await refuse(newer, /of a newer version of the shop/)
    await refuse(keyless, /holds no secret\.key/, { passphrase: undefined }, ['restore'])
    const CHAIN_CONTRACT = `0x${'1'.repeat(40)}`
    await refuse(whole, /of another shop: it anchors in/, { config: { ...bare.config, CHAIN_CONTRACT } })

    await bare.put(whole)
    const checked = await bare.ended('check')
    assert.deepEqual(checked, { ok: true, words: [] })
    assert.equal(await bare.which(), 'bare', 'nothing was changed by that')
    const restored = await bare.ended('restore')
    assert.ok(restored.ok, restored.words.join())
    assert.match(restored.words.join('\n'), /^The shop of \w+, .* GMT: .* rows and 1 files\.$/m)
    assert.match(restored.words.join('\n'), /^It knows every anchor of the ledger\.$/m)
    assert.equal(await bare.which(), 'restored')
    const { DATA_DIR } = bare.config
    assert.equal(await readFile(join(DATA_DIR, 'secret.key'), 'utf8'), key)
    assert.equal(await readFile(join(bare.folder, 'before', 'secret.key'), 'utf8'), bare.key)
    const names = (await readdir(bare.folder)).filter((name) => !name.startsWith('in-use'))
    assert.deepEqual(names.sort(), ['before', 'state.json'], 'nor the file')
    const opened = await place.open()
    assert.equal(await verdictOf(opened, network, 'open'), 'verified')
    await opened.close()
  })

  test(`${kind}: killed whenever, it leaves the bare shop or the restored one`, { skip }, async () => {
    const { network, whole } = other
    await using place = await make()
    const bare = await bareAt(place, network)
    const seen: string[] = []
    for (let ms = 1_500; seen.at(-1) !== 'restored'; ms *= 3) {
      await bare.put(whole)
      const process = bare.run('restore')
      await Promise.race([sleep(ms), process.ended])
      await process.kill()
      seen.push(await bare.which())
    }
    assert.ok(seen.slice(0, -1).every((one) => one === 'bare') && seen.length > 1, seen.join())
  })
}

test('embedded: wherever the switch of two shops is ended, the next start ends it', async () => {
  const { network } = other
  await using place = await restorableEmbedded()
  const { config } = await bareAt(place, network)
  const { DATA_DIR } = config
  const folder = restoreFolder(config)
  const said = (path: string) => readFile(join(DATA_DIR, path), 'utf8').catch(() => 'none')
  const files = ['database', 'secret.key', 'anchor-log.checkpoint']
  const shop = async (at: string, of: string, names: readonly string[]): Promise<void> => {
    await mkdir(at, { recursive: true })
    for (const name of files) await rm(join(at, name), { recursive: true, force: true })
    for (const name of names) await writeFile(join(at, name), of)
  }
  // Each rename is one step; after `steps` of them the process is killed.
  for (const bareHas of [files, files.slice(0, 2)])
    for (const otherHas of [files, files.slice(0, 2), files.slice(0, 1)])
      for (let steps = 0; steps <= 6; steps++) {
        await rm(folder, { recursive: true, force: true })
        await shop(DATA_DIR, 'bare', bareHas)
        await shop(sideOf(folder), 'other', otherHas)
        await decide(folder, { id: 'x', ifCommitted: false, tab: 'x', words: ['told'] })
        const moves = otherHas.flatMap((name) => [
          ...(bareHas.includes(name) ? [[join(DATA_DIR, name), join(folder, 'before', name)]] : []),
          [join(sideOf(folder), name), join(DATA_DIR, name)],
        ])
        for (const [from = '', to = ''] of moves.slice(0, steps)) await rename(from, to)
        const why = `bare ${bareHas.length}, other ${otherHas.length}, ${steps} steps`
        assert.equal(await finishSwitch(config), true, why)
        assert.equal(await finishSwitch(config), false, 'once')
        assert.equal(await said('database'), 'other', why)
        assert.equal(await said('secret.key'), otherHas.length > 1 ? 'other' : 'bare', why)
        assert.equal(await said('anchor-log.checkpoint'), otherHas.length > 2 ? 'other' : 'none', why)
        assert.equal(await said('restore/before/database'), 'bare', why)
        assert.deepEqual((await stateOf(folder))?.outcome?.words, ['told'])
      }
})

test('PostgreSQL: a switch takes place if the transaction did, and else all is as before', {
  skip: withoutPostgres,
}, async () => {
  const { network } = other
  await using place = await restorablePostgres()
  const { config, folder, key } = await bareAt(place, network)
  const { DATA_DIR } = config
  for (const isCommitted of [false, true]) {
    await mkdir(sideOf(folder), { recursive: true })
    await cp(join(DATA_DIR, 'secret.key'), join(sideOf(folder), 'secret.key'))
    await writeFile(join(sideOf(folder), 'anchor-log.checkpoint'), 'other')
    const decision = await decide(folder, { id: 'this-one', ifCommitted: true, tab: 'x', words: [] })
    if (isCommitted) {
      const database = await place.open()
      await rows(
        database.db,
        sql`insert into installation (name, value) values (${RESTORED}, ${decision.id})`,
      )
      await database.close()
    }
    assert.equal(await finishSwitch(config), isCommitted)
    const checkpoint = await readFile(join(DATA_DIR, 'anchor-log.checkpoint'), 'utf8').catch(() => null)
    assert.equal(checkpoint, isCommitted ? 'other' : null)
    assert.ok(!(await readdir(folder)).some((name) => /^(shop|switch)/.test(name)))
  }
  assert.equal(await readFile(join(DATA_DIR, 'secret.key'), 'utf8'), key)
})

for (const { kind, make, skip } of kinds.slice(1))
  test(`${kind}: an account that is made until the transaction begins keeps the shop`, { skip }, async () => {
    const { network, whole } = other
    await using place = await make()
    const bare = await bareAt(place, network)
    await bare.put(whole)
    const database = await place.open()
    const account = sql`insert into users (id, fname, lname, phone, email, email_key, role, status, password_hash)
      values ('olga', 'Olga', 'Sample', '', 'o@example.org', 'o@example.org', 'ADMIN', 'ACTIVE', 'none')`
    let process: RestoreProcess | undefined
    await database.db.transaction(async (tx) => {
      await rows(tx, account)
      process = bare.run('restore') // it waits for this transaction
      while ((await rows(database.db, WAITING)).length === 0) await sleep(100) // not of this transaction, which sees one moment
    })
    await database.close()
    const end = await process?.ended
    await process?.gone()
    assert.deepEqual(
      [end?.ok, /in use: it has accounts/.test(end?.words.join() ?? '')],
      [false, true],
      `${end?.words}`,
    )
    assert.equal(await bare.which(), 'bare')
    const own = await bare.ended('restore', { owner: 'olga' })
    assert.ok(own.ok, own.words.join())
    assert.equal(await bare.which(), 'restored')
  })

const WAITING = sql`select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query ilike '%lock table%'`

test('what takes the place is what was decided, and no file of another name', async () => {
  const { network } = other
  await using place = await restorableEmbedded()
  const { config, folder } = await bareAt(place, network)
  await mkdir(sideOf(folder), { recursive: true })
  await writeFile(join(sideOf(folder), 'operator.key'), 'another')
  const decision = await decide(folder, { id: 'x', ifCommitted: false, tab: 'x', words: [] })
  assert.deepEqual(decision.names, [])
  await takePlace(config.DATA_DIR, decision)
  assert.ok(!(await readdir(config.DATA_DIR)).includes('operator.key'))
})

test('PostgreSQL: other processes start again as the restored shop; one without its key says so', {
  skip: withoutPostgres,
}, async () => {
  const { network, whole } = other
  await using place = await restorablePostgres()
  const bare = await bareAt(place, network)
  await bare.put(whole)
  const elsewhere = join(bare.config.DATA_DIR, 'elsewhere')
  await mkdir(elsewhere)
  await cp(join(bare.config.DATA_DIR, 'secret.key'), join(elsewhere, 'secret.key'))
  const { env } = await shopAt(place, network)
  await using beside = await startWorkerProcess(env)
  await using alone = await startWorkerProcess({ ...env, DATA_DIR: elsewhere })
  assert.equal((await bare.ended('restore')).ok, true)
  const starts = (of: typeof beside) => of.said().filter((line) => line.includes('worker is ready')).length
  await askUntil(
    async () => starts(beside),
    (n) => n === 2,
  )
  const answer = await beside.ask('/readyz')
  assert.equal(answer.status, 200, await answer.text())
  await beside.stop()
  await askUntil(
    async () => alone.said().join('\n'),
    (said) => /secret\.key is not the key that this database was written with/.test(said),
  )
  assert.equal(starts(alone), 1)
})
