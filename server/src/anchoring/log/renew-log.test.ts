import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkReceipt, readToday } from '@befaqt/provenance/log/check-receipt'
import { findReceipt } from '@befaqt/provenance/log/receipt'
import { receiptWords } from '@befaqt/provenance/log/receipt-words'
import { sql } from 'drizzle-orm'
import { embeddedChain } from '#server/chain/embedded.ts'
import type { Chain } from '#server/chain/port.ts'
import { type Db, rows } from '#server/db/client.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { anchorLogs, otherLogs } from '#server/db/schema/anchor-log.ts'
import { loadSecrets, secretsOf } from '#server/secrets/secrets.ts'
import { assertContinued, logSettings, signedIn } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases, testDb } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { followBuilds, knownBuildsLog, noteStartedBuild } from './builds-log.ts'
import { CHECKPOINT_FILE, checkpointFile } from './checkpoint-file.ts'
import { entriesOf, logDifferences } from './log-rows.ts'
import { newestReceipt } from './receipts.ts'
import { nextOrigin, renewLog, whyLost } from './renew-log.ts'
import { followAnchors, knownLog, type LogSettings } from './sign-log.ts'

const ORIGIN = 'fish.example/befaqt/log'
const unseen = async (): Promise<boolean> => false
const killed = async (): Promise<void> => {
  throw new Error('killed')
}

async function folderFor(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'befaqt-renew-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** A shop with so many anchors, whose log is followed by hand. */
async function shopWith(db: Db, chain: Chain, anchors: number) {
  const world = anchoringWorld(db, chain)
  await addBox(db, 'a')
  const anchor = async (n: number): Promise<void> => {
    for (let i = 0; i < n; i++) {
      await addRecords(db, 'a', 1)
      await world.pass()
      world.later(60)
    }
  }
  await anchor(anchors)
  return { ...world, anchor }
}

/** Another database signs a state of so many anchors, which the file in this folder then holds alone. */
async function signElsewhere(folder: string, settings: LogSettings, anchors: number): Promise<void> {
  await using place = await folderFor()
  await using other = await testDb()
  const lost = await shopWith(other.db, await embeddedChain(), anchors)
  await followAnchors({ ...settings, file: checkpointFile(place.path) })(lost.deps)
  await copyFile(join(place.path, CHECKPOINT_FILE), join(folder, CHECKPOINT_FILE))
}

const faultIn = async (db: Db): Promise<string | null | undefined> =>
  (await db.select().from(anchorLogs))[0]?.fault

for (const [name, open] of testDatabases)
  test(`${name}: a log that lost what it signed is begun anew, and what it signed before stays as it was`, async () => {
    await using folder = await folderFor()
    const settings = logSettings(folder.path)
    await using database = await open()
    const { db } = database
    const shop = await shopWith(db, await embeddedChain(), 3)
    await followAnchors(settings)(shop.deps)
    const before = await entriesOf(db, 0, 9)

    // It signed one state more, which this database does not know
    await signElsewhere(folder.path, settings, 5)
    await shop.anchor(1)
    await followAnchors(settings)(shop.deps)
    assert.match((await faultIn(db)) ?? '', /signed with 5 anchors, and this database knows 4/)

    const log = await knownLog(db, settings)
    assert.ok(log)
    assert.match((await whyLost(shop.deps, log)) ?? '', /older than what it has signed/)
    const next = await nextOrigin(shop.deps, log, unseen)
    assert.equal(next, `${ORIGIN}/2`)
    await renewLog(shop.deps, log, next, settings.secrets)
    await followAnchors(settings)(shop.deps)
    assert.deepEqual(await faultIn(db), null)
    const signed = await signedIn(db)
    assert.deepEqual(signed.map(({ origin, size }) => [origin, size]).sort(), [
      [ORIGIN, 3],
      [next, 4],
    ])
    assert.deepEqual(await entriesOf(db, 0, 3, ORIGIN), before)
    assert.deepEqual((await entriesOf(db, 0, 9)).slice(0, 3), before, 'leaf i is anchor i, here too')
    assert.deepEqual(await logDifferences(db), [])
    await assertContinued(
      db,
      signed.filter(({ origin }) => origin === next).map(({ note }) => note),
    )
    assert.match(
      await readFile(join(folder.path, 'anchor-log.checkpoint'), 'utf8'),
      /^fish\.example\/befaqt\/log\/2\n4\n/,
    )
    await shop.anchor(1)
    await followAnchors(settings)(shop.deps)
    assert.equal((await signedIn(db)).filter(({ origin }) => origin === ORIGIN).length, 1, 'never again')

    const renewed = await knownLog(db, settings)
    assert.ok(renewed)
    assert.equal(await whyLost(shop.deps, renewed), undefined, 'nothing is lost of it')
    assert.equal(await nextOrigin(shop.deps, renewed, unseen), `${ORIGIN}/3`)
    assert.equal(
      await nextOrigin(shop.deps, renewed, async (origin) => origin.endsWith('/3')),
      `${ORIGIN}/4`,
      'not one that a witness has seen',
    )
  })

test('killed before it is done, nothing was begun; what else hinders signing is no reason', async () => {
  await using database = await testDb()
  const { db } = database
  const settings = logSettings()
  const shop = await shopWith(db, await embeddedChain(), 2)
  await followAnchors(settings)(shop.deps)
  const log = await knownLog(db, settings)
  assert.ok(log)
  await assert.rejects(
    renewLog({ ...shop.deps, checkLead: killed }, log, `${ORIGIN}/2`, settings.secrets),
    /killed/,
  )
  assert.deepEqual(await db.select().from(otherLogs), [])
  assert.equal((await entriesOf(db, 0, 9)).length, 2)
  assert.equal(await whyLost(shop.deps, log), undefined)
  const other = await knownLog(db, { ...settings, secrets: secretsOf(Buffer.alloc(32, 9)) })
  assert.ok(other)
  assert.match((await whyLost(shop.deps, other)) ?? '', /secret\.key was replaced/)
  await rows(db, sql`update anchor_logs set seen = ${'no note'}`)
  const seen = await knownLog(db, settings)
  assert.ok(seen)
  assert.match((await whyLost(shop.deps, seen)) ?? '', /not by its key/)
})

test('receipts of the former log are checked against what it signed, and say that it was ended', async () => {
  await using shop = await testShop()
  const { db, chain } = shop.deps
  const settings = logSettings()
  const world = await shopWith(db, chain, 2)
  await followAnchors(settings)(world.deps)
  const receipt = await newestReceipt(db)
  const log = await knownLog(db, settings)
  assert.ok(receipt && log)
  const successor = async (path: string) => shop.app.inject(`${path}/successor`)
  assert.equal((await successor('/befaqt/log')).statusCode, 204)
  await renewLog(world.deps, log, `${ORIGIN}/2`, settings.secrets)
  await world.anchor(1)
  await followAnchors(settings)(world.deps)

  const held = async (text: string, path: string) => {
    const get = async (part: string) => {
      const { statusCode, rawPayload } = await shop.app.inject(`${path}/${part}`)
      return statusCode === 200 ? new Uint8Array(rawPayload) : undefined
    }
    const today = await readToday(get, null)
    assert.ok(today, path)
    return checkReceipt(findReceipt(text), today)
  }
  const former = await held(receipt.note, '/befaqt/log')
  assert.deepEqual([former.state, former.proof, former.successor], ['fits', 'signed', `${ORIGIN}/2`])
  assert.match(
    receiptWords(former, String).message,
    /Nothing is added to this log any more: the shop began fish\.example\/befaqt\/log\/2/,
  )
  const now = await newestReceipt(db)
  assert.ok(now)
  assert.ok(now.line.startsWith(`befaqt1 ${ORIGIN}/2 3 `))
  const today = await held(now.note, '/befaqt/log/2')
  assert.deepEqual([today.state, today.proof, today.successor], ['fits', 'signed', null])
  assert.equal((await held(receipt.note, '/befaqt/log/2')).state, 'other_log')
  assert.equal((await successor('/befaqt/log/2')).statusCode, 204)
  assert.equal((await successor('/befaqt/log/3')).statusCode, 404)

  const late = { ...former, state: 'ahead' as const, receipt: { ...former.receipt, size: 9 } }
  assert.match(receiptWords(late, String).message, /it ended this log, and began fish\.example/)
})

test('the log of builds is begun anew by itself, and has all builds again', async () => {
  await using database = await testDb()
  const { db } = database
  const settings = logSettings()
  const shop = await shopWith(db, await embeddedChain(), 1)
  await followAnchors(settings)(shop.deps)
  const build = { manifest: '', build: 'a'.repeat(64), checker: null, version: '1' }
  await noteStartedBuild(db, build)
  await followBuilds(settings)(shop.deps)
  const log = await knownBuildsLog(db, settings)
  assert.ok(log)
  await renewLog(shop.deps, log, await nextOrigin(shop.deps, log, unseen), settings.secrets)
  await followBuilds(settings)(shop.deps)
  const found = await rows<{ origin: string; kind: string; entries: number }>(
    db,
    sql`select l.origin, kind, (select count(*)::int from other_log_entries e where e.origin = l.origin) as entries
        from other_logs l order by l.origin`,
  )
  assert.deepEqual(found, [
    { origin: `${ORIGIN}-builds`, kind: 'former', entries: 1 },
    { origin: `${ORIGIN}-builds/2`, kind: 'builds', entries: 1 },
  ])
  assert.deepEqual(await logDifferences(db), [])
})

test('begun anew twice, each state that was lost is kept, and an older database that is put back knows of both', async () => {
  await using folder = await folderFor()
  const settings = logSettings(folder.path)
  await using database = await testDb()
  const { db } = database
  const shop = await shopWith(db, await embeddedChain(), 2)
  await followAnchors(settings)(shop.deps)
  for (const lost of [3, 5]) {
    const log = await knownLog(db, settings)
    assert.ok(log)
    await signElsewhere(folder.path, { ...settings, origin: log.origin }, lost)
    const next = await nextOrigin(shop.deps, log, unseen)
    assert.equal(next, `${ORIGIN}/${lost === 3 ? 2 : 3}`)
    await renewLog(shop.deps, log, next, settings.secrets)
    await renewLog({ ...shop.deps, checkLead: killed }, log, next, settings.secrets).catch(() => undefined)
    await followAnchors(settings)(shop.deps)
  }
  const kept = (await settings.file?.formers()) ?? []
  const signed = kept.map((note) => note.split('\n', 2).join(' '))
  assert.deepEqual(signed, [`${ORIGIN} 3`, `${ORIGIN}/2 5`])

  // The file itself was not put back
  await rm(join(folder.path, CHECKPOINT_FILE))
  await using older = await testDb()
  const restored = await shopWith(older.db, await embeddedChain(), 2)
  await followAnchors(settings)(restored.deps)
  assert.match((await faultIn(older.db)) ?? '', /signed with 3 anchors, and this database knows 2/)
  assert.deepEqual(await signedIn(older.db), [], 'no second signature')
  const log = await knownLog(older.db, settings)
  assert.ok(log)
  assert.equal(await nextOrigin(restored.deps, log, unseen), `${ORIGIN}/3`, 'not one that was set aside')
})

const program = fileURLToPath(new URL('../../cli/log-renew.ts', import.meta.url))

test('the command refuses where signing is fine, asks first, and then begins anew', async () => {
  await using folder = await folderFor()
  const change = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const database = await openEmbedded(folder.path)
    try {
      return await work(database.db)
    } finally {
      await database.close()
    }
  }
  const renew = (...args: string[]) => {
    const env = { PATH: process.env.PATH, DATA_DIR: folder.path }
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      env,
      encoding: 'utf8',
    })
    return [status, stdout + stderr] as const
  }
  const settings = { ...logSettings(folder.path), secrets: await loadSecrets(folder.path) }
  await change(async (db) => {
    const shop = await shopWith(db, await embeddedChain(), 2)
    await followAnchors(settings)(shop.deps)
  })
  const [fine, nothing] = renew('--yes')
  assert.deepEqual([fine, nothing], [1, 'Every log can be signed: nothing is begun anew.\n'])

  // What it signed since is in the file alone
  await signElsewhere(folder.path, settings, 3)
  const [asked, words] = renew()
  assert.equal(asked, 1, words)
  assert.match(
    words,
    /signed with 3 anchors, and this database knows 2[\s\S]*would be begun anew as fish\.example\/befaqt\/log\/2[\s\S]*Nothing was changed/,
  )
  const [done, said] = renew('--yes')
  assert.equal(done, 0, said)
  assert.match(
    said,
    /Begun anew as fish\.example\/befaqt\/log\/2\. Its key, for policies and witnesses: fish\.example\/befaqt\/log\/2\+/,
  )
  assert.match(
    await readFile(join(folder.path, 'anchor-log.checkpoint.former'), 'utf8'),
    /^fish\.example\/befaqt\/log\n3\n/,
  )
  assert.equal(renew('--yes')[0], 1, 'twice begins one')
  assert.deepEqual(
    await change(async (db) => (await db.select().from(anchorLogs)).map(({ origin }) => origin)),
    [`${ORIGIN}/2`],
  )
})
