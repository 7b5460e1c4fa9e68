import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { readBuilds } from '@befaqt/provenance/log/builds'
import { parseVerifierKey } from '@befaqt/provenance/log/note'
import { openCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { logTiles } from '@befaqt/provenance/log/tiles'
import { asc, eq, sql } from 'drizzle-orm'
import { embeddedChain } from '#server/chain/embedded.ts'
import { type Db, rows } from '#server/db/client.ts'
import { logCheckpoints, otherLogs } from '#server/db/schema/anchor-log.ts'
import { logSettings, signFirstAnchor } from '#server/testing/anchor-log.ts'
import { anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases, testDb } from '#server/testing/database.ts'
import { testShop } from '#server/testing/shop.ts'
import { type PagesBuild, readPagesBuild } from './build-manifest.ts'
import { buildInLog, buildsOrigin, followBuilds, noteStartedBuild } from './builds-log.ts'
import { BUILDS_CHECKPOINT_FILE, checkpointFile } from './checkpoint-file.ts'
import { entriesOf, logDifferences, rebuildTiles } from './log-rows.ts'

const ORIGIN = 'fish.example/befaqt/log-builds'

const build = (digit: string, checker: string | null = digit): PagesBuild => ({
  manifest: '',
  build: digit.repeat(64),
  checker: checker?.repeat(64) ?? null,
  version: '1.2.3',
})

/** A shop whose log of anchors has a name, and its leader. */
async function shopWith(db: Db, folder?: string) {
  const chain = await embeddedChain()
  await signFirstAnchor({ db, chain })
  const { deps, told } = anchoringWorld(db, chain)
  const settings = {
    ...logSettings(),
    file: folder === undefined ? undefined : checkpointFile(folder, BUILDS_CHECKPOINT_FILE),
  }
  return {
    deps,
    told,
    settings,
    follow: followBuilds(settings),
    entries: () => entriesOf(db, 0, 1_000, ORIGIN),
    signed: async () =>
      (
        await db
          .select()
          .from(logCheckpoints)
          .where(eq(logCheckpoints.origin, ORIGIN))
          .orderBy(asc(logCheckpoints.size))
      ).map(({ size }) => size),
    fault: async () => (await db.select().from(otherLogs))[0]?.fault,
  }
}

async function folderFor(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'befaqt-builds-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

for (const [name, open] of testDatabases)
  test(`${name}: both builds of a rolling upgrade get in, once, and one that was gone back to is there already`, async () => {
    await using database = await open()
    const { db } = database
    const shop = await shopWith(db)
    await shop.follow(shop.deps)
    assert.deepEqual(await shop.signed(), [], 'nothing was noted')
    await noteStartedBuild(db, build('a'))
    await shop.follow(shop.deps)
    assert.deepEqual(await shop.entries(), [
      `{"build":"${'a'.repeat(64)}","version":"1.2.3"}`,
      `{"checker":"${'a'.repeat(64)}","version":"1.2.3"}`,
    ])
    // The next version beside the former, whichever of them leads
    await noteStartedBuild(db, build('b', 'a'))
    for (const follow of [shop.follow, followBuilds(shop.settings), shop.follow]) {
      await noteStartedBuild(db, build('a'))
      await follow(shop.deps)
      await noteStartedBuild(db, build('b', 'a'))
      await follow(shop.deps)
    }
    assert.deepEqual(await shop.signed(), [2, 3])
    assert.equal((await shop.entries()).length, 3)
    await noteStartedBuild(db, build('c', null))
    await shop.follow(shop.deps)
    assert.deepEqual(await shop.signed(), [2, 3, 4], 'a build without a checker')
    assert.deepEqual([await logDifferences(db), await shop.fault()], [[], null])
    assert.deepEqual(await buildInLog(db, build('b', 'a')), {
      version: '1.2.3',
      build: { hash: 'b'.repeat(64), index: 2 },
      checker: { hash: 'a'.repeat(64), index: 1 },
      log: { origin: ORIGIN, size: 4 },
    })
    assert.deepEqual((await buildInLog(db, build('d'))).build, { hash: 'd'.repeat(64), index: null })

    const [log] = await db.select().from(otherLogs)
    const [newest] = await rows<{ note: string }>(
      db,
      sql`select note from log_checkpoints where origin = ${ORIGIN} order by size desc`,
    )
    assert.match(log?.key ?? '', /^fish\.example\/befaqt\/log-builds\+/)
    assert.ok(newest)
    await rows(db, sql`delete from other_log_tiles`)
    assert.deepEqual(await logDifferences(db), [`${ORIGIN}: tile 0 of level 0 is not what the entries give`])
    await rebuildTiles(db, ORIGIN)
    assert.deepEqual(await logDifferences(db), [])
  })

test('it waits for the name of the log of anchors, and keeps its own', async () => {
  await using database = await testDb()
  const { db } = database
  const { deps } = anchoringWorld(db, await embeddedChain())
  await noteStartedBuild(db, build('a'))
  const follow = followBuilds(logSettings())
  await follow(deps)
  assert.deepEqual(await db.select().from(otherLogs), [])
  await signFirstAnchor({ db, chain: deps.chain })
  await follow(deps)
  await rows(db, sql`update anchor_logs set origin = 'other.example/befaqt/log/2'`)
  await noteStartedBuild(db, build('b'))
  await followBuilds(logSettings())(deps)
  assert.deepEqual(
    (await db.select().from(logCheckpoints).where(eq(logCheckpoints.origin, ORIGIN))).length,
    2,
  )
  assert.equal(buildsOrigin('fish.example/befaqt/log/2'), ORIGIN)
})

test('killed between any two steps it signs no size twice, and the next leader goes on', async () => {
  await using folder = await folderFor()
  await using database = await testDb()
  const { db } = database
  const shop = await shopWith(db, folder.path)
  const file = join(folder.path, BUILDS_CHECKPOINT_FILE)
  const notes = new Map<string, string>()
  for (let at = 0; at < 8; at++) {
    await noteStartedBuild(db, build('0123456789abcdef'[at] ?? '', null))
    let left = at % 4
    const checkLead = async (): Promise<void> => {
      if (left-- === 0) throw new Error('killed')
    }
    await followBuilds(shop.settings)({ ...shop.deps, checkLead }).catch(() => undefined)
    const note = await readFile(file, 'utf8').catch(() => undefined)
    if (note !== undefined) {
      const size = note.split('\n')[1] ?? ''
      assert.equal(notes.get(size) ?? note, note, `another note of ${size} entries`)
      notes.set(size, note)
    }
  }
  await shop.follow(shop.deps)
  const kept = await db.select().from(logCheckpoints).where(eq(logCheckpoints.origin, ORIGIN))
  for (const { size, note } of kept) assert.equal(notes.get(String(size)) ?? note, note)
  assert.equal((await shop.entries()).length, 8)
  assert.ok(notes.size > 1)
  assert.equal(await shop.fault(), null)
})

test('a database that forgot entries signs nothing else, and gets them again from the same builds', async () => {
  await using folder = await folderFor()
  await using before = await testDb()
  const lost = await shopWith(before.db, folder.path)
  for (const one of ['a', 'b']) {
    await noteStartedBuild(before.db, build(one))
    await lost.follow(lost.deps)
  }
  assert.deepEqual(await lost.signed(), [2, 4])

  await using after = await testDb()
  const shop = await shopWith(after.db, folder.path)
  await noteStartedBuild(after.db, build('a'))
  await shop.follow(shop.deps)
  assert.match((await shop.fault()) ?? '', /was signed with 4 builds, and this database knows 2/)
  assert.deepEqual([await shop.signed(), await shop.entries()], [[], []], 'nothing is appended')
  await noteStartedBuild(after.db, build('b'))
  await shop.follow(shop.deps)
  assert.deepEqual([await shop.fault(), await shop.signed()], [null, [4]])

  await using other = await testDb()
  const wrong = await shopWith(other.db, folder.path)
  for (const one of ['a', 'c', 'd']) {
    await noteStartedBuild(other.db, build(one))
    await wrong.follow(wrong.deps)
  }
  assert.match((await wrong.fault()) ?? '', /signed with 4 builds, and these are others/)
  assert.deepEqual([await wrong.signed(), await wrong.entries()], [[], []])
})

test('another key, a checkpoint that a witness shows, and what is no build stop the signing', async () => {
  await using database = await testDb()
  const { db } = database
  const shop = await shopWith(db)
  await noteStartedBuild(db, build('a'))
  await shop.follow(shop.deps)
  const [newest] = await db.select().from(logCheckpoints).where(eq(logCheckpoints.origin, ORIGIN))
  await rows(db, sql`update other_logs set key = replace(key, '+A', '+B')`)
  await shop.follow(shop.deps)
  assert.match((await shop.fault()) ?? '', /secret\.key was replaced/)
  await rows(db, sql`update other_logs set key = replace(key, '+B', '+A'), seen = 'no note'`)
  await shop.follow(shop.deps)
  assert.match((await shop.fault()) ?? '', /is not by its key/)
  await rows(db, sql`update other_logs set seen = ${newest?.note}`)
  await shop.follow(shop.deps)
  assert.equal(await shop.fault(), null)
  await rows(db, sql`insert into started_builds values ('{"build":"ab","version":"1"}')`)
  await shop.follow(shop.deps)
  assert.match((await shop.fault()) ?? '', /noted what is no build/)
  assert.deepEqual(await shop.signed(), [2])
})

test('the manifest names every file that is served with its SHA-256, and what is compressed only where it is another', async () => {
  await using folder = await folderFor()
  const client = join(folder.path, 'client')
  await mkdir(join(client, 'assets'), { recursive: true })
  await mkdir(join(client, '.vite'))
  await writeFile(join(client, '.vite/manifest.json'), '{}')
  await writeFile(join(client, 'check.html'), 'checker')
  await writeFile(join(client, 'assets/a.js'), 'script')
  await writeFile(join(client, 'assets/a.js.br'), brotliCompressSync('script'))
  const built = await readPagesBuild(folder.path)
  assert.ok(built)
  assert.deepEqual(
    built.manifest.split('\n').map((line) => line.slice(64)),
    ['  /assets/a.js', '  /check.html', ''].sort((a, b) => (a === '' ? 1 : b === '' ? -1 : 0)),
  )
  assert.equal(built.checker, built.manifest.match(/^(\w+) {2}\/check\.html$/m)?.[1])
  const again = join(folder.path, 'again')
  await cp(client, join(again, 'client'), { recursive: true })
  assert.deepEqual(await readPagesBuild(again), built, 'the same wherever it is')
  await writeFile(join(client, 'assets/a.js.br'), brotliCompressSync('another script'))
  const changed = await readPagesBuild(folder.path)
  assert.match(changed?.manifest ?? '', / {2}\/assets\/a\.js\.br$/m)
  assert.notEqual(changed?.build, built.build)
  assert.equal(await readPagesBuild(join(folder.path, 'nowhere')), undefined)
})

test('who follows it reads what is served: each entry under the signed root, and the manifest of one of them', async () => {
  await using folder = await folderFor()
  await mkdir(join(folder.path, 'client'))
  await writeFile(join(folder.path, 'client', 'check.html'), 'checker')
  await using shop = await testShop({ env: { WEB_DIST: folder.path } })
  const { db, chain } = shop.deps
  const get = (path: string) =>
    shop.app.inject({ url: path, headers: { origin: 'https://elsewhere.example' } })
  assert.equal((await get('/befaqt/log-builds/checkpoint')).statusCode, 404)
  await signFirstAnchor({ db, chain })
  const { deps } = anchoringWorld(db, chain)
  const built = await readPagesBuild(folder.path)
  assert.ok(built)
  for (const one of [build('a'), built]) {
    await noteStartedBuild(db, one)
    await followBuilds(logSettings())(deps)
  }
  const key = parseVerifierKey((await get('/befaqt/log-builds/key')).body.trim())
  const answer = await get('/befaqt/log-builds/checkpoint')
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  const opened = await openCheckpoint(answer.body, [key], [])
  const tiles = logTiles(opened.checkpoint.size, async (path) => {
    const tile = await get(`/befaqt/log-builds/${path}`)
    assert.equal(tile.headers['cache-control'], 'public, max-age=31536000, immutable')
    return new Uint8Array(tile.rawPayload)
  })
  assert.deepEqual(
    (await readBuilds(opened, tiles)).map(({ kind, hash }) => [kind, hash]),
    [
      ['build', 'a'.repeat(64)],
      ['checker', 'a'.repeat(64)],
      ['build', built.build],
      ['checker', built.checker],
    ],
  )
  const manifest = await get('/befaqt/log-builds/manifest.txt')
  assert.equal(createHash('sha256').update(manifest.rawPayload).digest('hex'), built.build)
  const { statusCode, headers, body } = await get('/api/build')
  assert.deepEqual([statusCode, headers['cache-control']], [200, 'no-cache'])
  assert.deepEqual(JSON.parse(body), {
    version: built.version,
    build: { hash: built.build, index: 2 },
    checker: { hash: built.checker, index: 3 },
    log: { origin: ORIGIN, size: 4 },
  })
  for (const path of ['', 'tile/0/000', 'tile/0/000.p/5', 'receipt.txt', '2/checkpoint'])
    assert.equal((await get(`/befaqt/log-builds/${path}`)).statusCode, 404, path)
})
