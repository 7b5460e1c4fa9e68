import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { embeddedChain } from '#server/chain/embedded.ts'
import type { Chain } from '#server/chain/port.ts'
import { type Db, rows } from '#server/db/client.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { anchorLogs } from '#server/db/schema/anchor-log.ts'
import { secretsOf } from '#server/secrets/secrets.ts'
import { assertContinued, logSettings, signedIn } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases, testDb } from '#server/testing/database.ts'
import { CHECKPOINT_FILE, checkpointFile } from './checkpoint-file.ts'
import { entryCount, logDifferences } from './log-rows.ts'
import { followAnchors, originOf } from './sign-log.ts'

/** A shop with anchors, whose log is followed by hand. */
async function shopWith(db: Db, given?: Chain) {
  const chain = given ?? (await embeddedChain())
  const world = anchoringWorld(db, chain)
  await addBox(db, 'a')
  return {
    ...world,
    chain,
    anchor: async (n: number) => {
      for (let i = 0; i < n; i++) {
        await addRecords(db, 'a', 1)
        await world.pass()
        world.later(60)
      }
    },
    sizes: async () => (await signedIn(db)).map(({ size }) => size),
    fault: async () => (await db.select().from(anchorLogs))[0]?.fault,
  }
}

async function folderFor(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'befaqt-log-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

for (const [name, open] of testDatabases)
  test(`${name}: a shop with anchors begins its log with all of them, and signs it once for each state`, async () => {
    await using database = await open()
    const { db } = database
    const shop = await shopWith(db)
    const follow = followAnchors(logSettings())
    await follow(shop.deps)
    assert.deepEqual(await db.select().from(anchorLogs), [], 'a log begins with an anchor')
    await shop.anchor(3)
    await follow(shop.deps)
    await follow(shop.deps)
    assert.deepEqual(await shop.sizes(), [3])
    await shop.anchor(1)
    await follow(shop.deps)
    await shop.anchor(2)
    await followAnchors({ ...logSettings(), origin: 'other.example/befaqt/log' })(shop.deps)
    assert.deepEqual(await shop.sizes(), [3, 4, 6])
    const signed = await assertContinued(db)
    assert.deepEqual(
      new Set(signed.map(({ origin }) => origin)),
      new Set(['fish.example/befaqt/log']),
      'its name stays, whatever the shop is called',
    )
    assert.deepEqual(await logDifferences(db), [])
    const [first] = await shop.anchors()
    assert.deepEqual(
      (await rows<{ entry: string }>(db, sql`select entry from log_entries where index = 0`))[0]?.entry,
      `{"boxes":1,"index":0,"records":1,"root":"${first?.root}","time":"2026-11-21T01:00:00Z"}`,
    )
    assert.equal(await shop.fault(), null)
  })

test('what was signed is in the file before the database has it, and is not signed anew after a kill between them', async () => {
  await using folder = await folderFor()
  await using database = await testDb()
  const { db } = database
  const shop = await shopWith(db)
  await shop.anchor(2)
  let checks = 0
  const checkLead = async (): Promise<void> => {
    if (++checks === 3) throw new Error('killed') // after the row of the log and its entries
  }
  await assert.rejects(followAnchors(logSettings(folder.path))({ ...shop.deps, checkLead }), /killed/)
  const note = await readFile(join(folder.path, CHECKPOINT_FILE), 'utf8')
  assert.deepEqual(await shop.sizes(), [])
  assert.equal((await stat(join(folder.path, CHECKPOINT_FILE))).mode & 0o777, 0o600)
  await shop.anchor(1)
  await followAnchors(logSettings(folder.path))(shop.deps)
  assert.deepEqual(await shop.sizes(), [2, 3])
  assert.equal((await signedIn(db))[0]?.note, note, 'the signed one is kept')
  await assertContinued(db)
})

test('who is no leader any more appends and signs nothing', async () => {
  await using database = await testDb()
  const shop = await shopWith(database.db)
  await shop.anchor(2)
  for (const allowed of [0, 1, 1]) {
    let left = allowed
    const checkLead = async (): Promise<void> => {
      if (left-- === 0) throw new Error('another leads')
    }
    await assert.rejects(followAnchors(logSettings())({ ...shop.deps, checkLead }), /another leads/)
    assert.deepEqual(await shop.sizes(), [])
  }
  await followAnchors(logSettings())(shop.deps)
  assert.deepEqual(await shop.sizes(), [2])
})

test('a database that has forgotten what it signed signs nothing, and says why', async () => {
  await using folder = await folderFor()
  const settings = logSettings(folder.path)
  await using before = await testDb()
  const lost = await shopWith(before.db)
  await lost.anchor(3)
  await followAnchors(settings)(lost.deps)

  await using after = await testDb()
  const shop = await shopWith(after.db)
  await shop.anchor(2)
  await followAnchors({ ...settings, origin: 'other.example/befaqt/log' })(shop.deps)
  assert.match(
    (await shop.fault()) ?? '',
    /fish\.example.* was signed with 3 anchors, and this database knows 2/,
  )
  await shop.anchor(2)
  await followAnchors(settings)(shop.deps)
  assert.match((await shop.fault()) ?? '', /signed with 3 anchors, and these are others/)
  assert.deepEqual(await shop.sizes(), [])
  assert.equal((await shop.anchors()).length, 4, 'anchoring goes on')
})

test('another key, another anchor and another ledger stop the signing, until they fit again', async () => {
  await using database = await testDb()
  const { db } = database
  const shop = await shopWith(db)
  await shop.anchor(2)
  await followAnchors(logSettings())(shop.deps)
  await shop.anchor(1)

  await followAnchors({ ...logSettings(), secrets: secretsOf(Buffer.alloc(32, 8)) })(shop.deps)
  assert.match((await shop.fault()) ?? '', /secret\.key was replaced/)

  await rows(db, sql`update anchors set block_time = block_time + 1 where index = 1`)
  await followAnchors(logSettings())(shop.deps)
  assert.match((await shop.fault()) ?? '', /entry 1 is not what anchor 1 says/)
  await rows(db, sql`update anchors set block_time = block_time - 1 where index = 1`)

  const other: Chain = {
    ...shop.chain,
    anchorOf: async (contract, index) => {
      const held = await shop.chain.anchorOf(contract, index)
      return held && { ...held, time: held.time + 1 }
    },
  }
  await followAnchors(logSettings())({ ...shop.deps, chain: other })
  assert.equal(await shop.fault(), 'The ledger holds another anchor 2 than the log.')
  const behind: Chain = { ...shop.chain, anchorOf: async () => undefined }
  await followAnchors(logSettings())({ ...shop.deps, chain: behind })
  assert.deepEqual(
    [await shop.fault(), await shop.sizes()],
    [null, [2]],
    'a node that is behind is waited for',
  )

  await rows(db, sql`update log_entries set entry = entry || ' ' where index = 0`)
  await rows(db, sql`update log_tiles set hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1)`)
  await followAnchors(logSettings())(shop.deps)
  assert.match((await shop.fault()) ?? '', /signed with 2 anchors, and these are others/)
  await rows(db, sql`update log_entries set entry = rtrim(entry) where index = 0`)
  await rows(db, sql`update log_tiles set hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1)`)

  await rows(db, sql`update log_checkpoints set note = replace(note, 'fish', 'Fish')`)
  await followAnchors(logSettings())(shop.deps)
  assert.match((await shop.fault()) ?? '', /is not by its key/)
  await rows(db, sql`update log_checkpoints set note = replace(note, 'Fish', 'fish')`)

  await followAnchors(logSettings())(shop.deps)
  assert.deepEqual([await shop.fault(), await shop.sizes()], [null, [2, 3]])
  assert.ok(shop.told.includes('the log of anchors is signed again'))
  await assertContinued(db)
})

test('more anchors than are appended at once are appended, and only what is final', async () => {
  await using database = await testDb()
  const { db } = database
  const shop = await shopWith(db)
  await shop.anchor(1)
  const [first] = await shop.anchors()
  await rows(
    db,
    sql`insert into anchors (index, root, boxes, records, state, tx_hash, block_number, block_time)
        select i, ${first?.root}, 1, 1, case when i = 1203 then 'mined' else 'confirmed' end, 'x', 1, 1795000000
        from generate_series(1, 1204) i`,
  )
  const held: Chain = {
    ...shop.chain,
    anchorOf: async (contract, index) =>
      index === 0
        ? shop.chain.anchorOf(contract, 0)
        : { root: first?.root ?? '', boxes: 1, records: 1, time: 1_795_000_000 },
  }
  await followAnchors(logSettings())({ ...shop.deps, chain: held })
  assert.deepEqual([await entryCount(db), await shop.sizes()], [1203, [1203]])
  assert.deepEqual(await logDifferences(db), [])
})

test('a file without a checkpoint is none, and one is replaced whole', async () => {
  await using folder = await folderFor()
  const file = checkpointFile(folder.path)
  assert.equal(await file.read(), undefined)
  await file.write('one\n')
  await file.write('another\n')
  assert.equal(await file.read(), 'another\n')
})

test('a log is named after the address of the shop', () => {
  assert.equal(originOf('https://fish.example/'), 'fish.example/befaqt/log')
  assert.equal(originOf('http://127.0.0.1:3000'), '127.0.0.1:3000/befaqt/log')
})

const program = fileURLToPath(new URL('../../cli/log-audit.ts', import.meta.url))

test('the command says what differs, and makes the tree anew', async () => {
  await using folder = await folderFor()
  const change = async (work: (db: Db) => Promise<unknown>): Promise<void> => {
    const database = await openEmbedded(folder.path)
    await work(database.db)
    await database.close()
  }
  const audit = (...args: string[]) => {
    const env = { PATH: process.env.PATH, DATA_DIR: folder.path }
    const { status, stdout } = spawnSync(process.execPath, [program, ...args], { env, encoding: 'utf8' })
    const [key, ...lines] = stdout.split('\n')
    assert.match(key ?? '', /^Its key, for policies: fish\.example\/befaqt\/log\+[0-9a-f]{8}\+A[Q-Za-f]/)
    return [status, lines.join('\n')]
  }
  await change(async (db) => {
    const shop = await shopWith(db)
    await shop.anchor(2)
    await followAnchors(logSettings(folder.path))(shop.deps)
  })
  assert.deepEqual(audit(), [0, 'The log is as its anchors are.\n'])
  await change((db) => rows(db, sql`delete from log_tiles`))
  assert.deepEqual(audit(), [1, 'tile 0 of level 0 is not what the entries give\n1 difference.\n'])
  assert.deepEqual(audit('--rebuild'), [0, 'The log is as its anchors are.\n'])
  await change((db) => rows(db, sql`update anchors set boxes = 2 where index = 1`))
  assert.deepEqual(audit(), [1, 'entry 1 is not what anchor 1 says\n1 difference.\n'])
})
