import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { monitorPath, parseAddRequest, SIZE_TYPE } from '@befaqt/provenance/log/add-checkpoint'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { keyTypes, parseNote, parseVerifierKey, verifierKeyText } from '@befaqt/provenance/log/note'
import { keysOf, parsePolicy, witnessed } from '@befaqt/provenance/log/policy'
import { cosign, openCheckpoint, signCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import { newSigner } from '@befaqt/provenance/testing/log'
import { startWitness } from '@befaqt/provenance/testing/witness-process'
import { embeddedChain } from '#server/chain/embedded.ts'
import type { Db } from '#server/db/client.ts'
import { anchorLogs, logCosignatures, logWitnesses } from '#server/db/schema/anchor-log.ts'
import { AT_ONCE, logSettings, signedIn } from '#server/testing/anchor-log.ts'
import { addBox, addRecords, anchoringWorld } from '#server/testing/anchoring.ts'
import { testDatabases, testDb } from '#server/testing/database.ts'
import { type Lie, liar } from '#server/testing/liar.ts'
import { witnessCalls } from './ask-witnesses.ts'
import { cosignatureLines, keepCosignatures, newestSigned } from './cosignatures.ts'
import { followAnchors } from './sign-log.ts'
import { signerOf } from './signing.ts'

const ORIGIN = logSettings().origin
const NOW_S = Math.floor(Date.now() / 1000)

/** A shop whose log is signed, and what it asks its witnesses. */
async function shopWith(db: Db) {
  const world = anchoringWorld(db, await embeddedChain(), { now: () => new Date() })
  await addBox(db, 'a')
  const anchor = async (n = 1): Promise<void> => {
    for (let i = 0; i < n; i++) {
      await addRecords(db, 'a', 1)
      await world.pass()
    }
    await followAnchors(logSettings())(world.deps)
  }
  await anchor()
  const [log] = await db.select().from(anchorLogs)
  return {
    ...world,
    anchor,
    key: parseVerifierKey(log?.key ?? ''),
    faults: async () =>
      Object.fromEntries((await db.select().from(logWitnesses)).map(({ name, fault }) => [name, fault])),
    newest: async () => {
      const newest = await newestSigned(db, ORIGIN)
      assert.ok(newest)
      return newest.note + (await cosignatureLines(db, newest)).join('')
    },
  }
}

const policyOf = (...lines: string[]) => parsePolicy(Buffer.from(`${lines.join('\n')}\n`))
const lineOf = (name: string, key: Parameters<typeof verifierKeyText>[0], url: string): string =>
  `witness ${name} ${verifierKeyText(key)} ${url}`

async function folderFor(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'befaqt-witnesses-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

for (const [kind, open] of testDatabases)
  test(`${kind}: of three witnesses two sign, and decide; one is down; the next state is signed by all`, async () => {
    await using folder = await folderFor()
    await using database = await open()
    const shop = await shopWith(database.db)
    const start = (name: string, port = 0) =>
      startWitness({ folder: join(folder.path, name), log: shop.key, name: `${name}.example/w`, port })
    await using a = await start('a')
    await using b = await start('b')
    await using first = await start('c')
    const port = Number(new URL(first.url).port)
    const policy = policyOf(
      ...[a, b, first].flatMap(({ keys, url }, i) =>
        keys.map((key, k) => lineOf(`${'abc'[i]}${k}`, key, url)),
      ),
      ...['a', 'b', 'c'].map((name) => `group ${name} any ${name}0 ${name}1`),
      'group two 2 a b c',
      'quorum two',
    )
    await first.kill()
    const calls = witnessCalls(policy, AT_ONCE)
    const askAll = async (): Promise<void> => {
      calls.begin(shop.deps)
      await calls.settled()
    }
    const state = async () => {
      const { logs, cosigners } = keysOf(policy)
      const opened = await openCheckpoint(await shop.newest(), [...logs, shop.key], cosigners)
      // By names alone: all of them run on this machine, where nobody is anybody else
      const by = new Set(opened.cosignatures.map(({ key }) => key.name))
      return [opened.checkpoint.size, [...by].sort(), opened.cosignatures.length, witnessed(opened, policy).n]
    }
    await askAll()
    assert.deepEqual(await state(), [1, ['a.example/w', 'b.example/w'], 4, 3])
    assert.deepEqual(await shop.faults(), {
      'a0, a1': null,
      'b0, b1': null,
      'c0, c1': 'It could not be reached.',
    })
    await shop.anchor(2)
    await using c = await start('c', port)
    await askAll()
    assert.deepEqual(await state(), [3, ['a.example/w', 'b.example/w', 'c.example/w'], 6, 3])
    assert.deepEqual(Object.values(await shop.faults()), [null, null, null])
    const rows = await database.db.select().from(logCosignatures)
    assert.deepEqual(new Set(rows.map(({ size }) => size)), new Set([3]), 'the newer ones replace the others')
    assert.ok(await c.monitor())

    // The shop forgot what they know: they say it
    await database.db.delete(logCosignatures)
    await askAll()
    assert.deepEqual((await state())[2], 6)
    await calls.stop()
  })

test('one witness is down and one lies: one of three has signed, the fault is named, and anchoring and signing go on', async () => {
  await using folder = await folderFor()
  await using database = await testDb()
  const { db } = database
  const shop = await shopWith(db)
  await using honest = await startWitness({ folder: join(folder.path, 'a'), log: shop.key })
  await using lying = await liar()
  const gone = newSigner('gone.example/w', keyTypes.ed25519Cosigner)
  const [key] = honest.keys
  assert.ok(key)
  const policy = policyOf(
    lineOf('honest', key, honest.url),
    lineOf('liar', lying.key, lying.url),
    lineOf('gone', gone.key, 'http://127.0.0.1:1'),
    'group two 2 honest liar gone',
    'quorum two',
  )
  const calls = witnessCalls(policy, AT_ONCE)
  const follow = followAnchors({ ...logSettings(), witnesses: calls })
  /** Other bits that are not used: the signature's last letter before the padding is one of four. */
  const flip = (text: string): string =>
    text.replace(/[AQgw](?===\n$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))
  const size = (n: number | string): Lie => ({ status: 409, type: SIZE_TYPE, body: `${n}\n` })
  const signed = (body: string): Lie => ({ status: 200, body })
  const lies: [string, (request: string) => Lie, RegExp][] = [
    ['nothing', () => signed(''), /none of the keys/],
    ['no signature', () => signed('hello\n'), /does not hold/],
    [
      'a false one',
      (r) => signed(lying.sign(r).replace(/(.)(.{20}\n)$/, (_, c, rest) => (c === 'A' ? 'B' : 'A') + rest)),
      /does not hold/,
    ],
    ['of the state before', () => signed(lying.sign(lying.asked.at(-2) ?? '')), /does not hold/],
    ['trailing bits', (r) => signed(flip(lying.sign(r))), /does not hold/],
    ['of another log', (r) => signed(lying.sign(r, NOW_S, 'other.example/log')), /does not hold/],
    [
      'by a key that nobody named',
      (r) => signed(cosign(parseCheckpoint(parseNote(parseAddRequest(r).note).text), gone, NOW_S)),
      /none of the keys/,
    ],
    ['twice', (r) => signed(lying.sign(r) + lying.sign(r, NOW_S - 1)), /twice with one key/],
    ['ahead', (r) => signed(lying.sign(r, NOW_S + 100_000)), /ahead/],
    ['a megabyte', (r) => signed(lying.sign(r).repeat(10_000)), /too long/],
    ['more than there is', () => size(1_000_000), /has seen 1000000 entries/],
    ['the same size', (r) => size(parseAddRequest(r).old), /names no other size/],
    ['a stale size, whatever it is sent', () => size(1), /names no other size/],
    ['no size', () => size('1e3'), /names no other size/],
    ['a size, another type', () => ({ status: 409, body: '0\n' }), /names no other size/],
    ['another size each time', (r) => size(parseAddRequest(r).old === 0 ? 1 : 0), /another size each time/],
    ['it does not continue', () => ({ status: 422, body: 'no\n' }), /does not continue/],
    ['a redirect', () => ({ status: 302, body: '' }), /status 302|not be reached/],
    ['later', () => ({ status: 503, body: '' }), /not looked at this yet/],
  ]
  let anchors = 1
  for (const [what, answer, words] of lies) {
    lying.answer = answer
    await shop.anchor()
    await follow(shop.deps)
    await calls.settled()
    anchors += 1
    const { honest: fine, liar: fault, gone: away } = await shop.faults()
    assert.deepEqual([fine, away], [null, 'It could not be reached.'], what)
    assert.match(fault ?? '', words, what)
    const opened = await openCheckpoint(await shop.newest(), [shop.key], keysOf(policy).cosigners)
    assert.deepEqual(
      [opened.checkpoint.size, opened.cosignatures.map((one) => one.key.name)],
      [anchors, [key.name]],
      what,
    )
    const [log] = await db.select().from(anchorLogs)
    assert.deepEqual([log?.fault, log?.seen], [null, null], what)
  }
  lying.answer = (request) => signed(lying.sign(request))
  await shop.anchor()
  await follow(shop.deps)
  await calls.settled()
  assert.equal((await shop.faults()).liar, null, 'it signs at last')
  await calls.stop()
})

test('a checkpoint by our own key that a witness shows and we do not have stops the signing, and nothing else does', async () => {
  await using database = await testDb()
  const { db } = database
  const shop = await shopWith(db)
  await using lying = await liar()
  const calls = witnessCalls(policyOf(lineOf('liar', lying.key, lying.url), 'quorum none'), AT_ONCE)
  const follow = followAnchors({ ...logSettings(), witnesses: calls })
  lying.answer = () => ({ status: 409, type: SIZE_TYPE, body: '9\n' })
  const ask = async () => {
    await shop.anchor()
    await follow(shop.deps)
    await calls.settled()
    await follow(shop.deps)
    const [log] = await db.select().from(anchorLogs)
    return log?.fault ?? null
  }
  const other = newSigner(ORIGIN)
  const root = new Uint8Array(32).fill(7) as Parameters<typeof signCheckpoint>[0]['root']
  lying.shown = signCheckpoint({ origin: ORIGIN, size: 9, root }, other)
  assert.equal(await ask(), null, 'by another key')
  lying.shown = 'x'.repeat(1_000_000)
  assert.equal(await ask(), null)
  const [first] = await signedIn(db)
  lying.shown = first?.note
  assert.equal(await ask(), null, 'it is behind, whatever it says')

  const { secrets } = logSettings()
  lying.shown = signCheckpoint({ origin: ORIGIN, size: 9, root }, signerOf(ORIGIN, secrets))
  assert.match((await ask()) ?? '', /was signed with 9 anchors, and this database knows 5/)
  const sizes = (await signedIn(db)).map(({ size }) => size)
  await shop.anchor()
  assert.deepEqual(
    (await signedIn(db)).map(({ size }) => size),
    sizes,
    'nothing more is signed',
  )
  assert.equal((await shop.anchors()).length, 6, 'anchoring goes on')
  assert.ok(lying.asked.every((request) => request.startsWith('old 0\n')))
  assert.match(monitorPath(ORIGIN), /^\/w\/[0-9a-f]{64}\/checkpoint$/)
  await calls.stop()
})

test('a witness is asked once a minute at most, not for what it has signed, and not for ever', async () => {
  await using database = await testDb()
  const { db } = database
  let nowMs = Date.now()
  const world = anchoringWorld(db, await embeddedChain(), { now: () => new Date(nowMs) })
  await addBox(db, 'a')
  await using lying = await liar()
  lying.answer = (request) => ({ status: 200, body: lying.sign(request) })
  const calls = witnessCalls(policyOf(lineOf('w', lying.key, lying.url), 'quorum none'), {
    timeoutMs: AT_ONCE.timeoutMs,
  })
  const follow = followAnchors({ ...logSettings(), witnesses: calls })
  const anchor = async (): Promise<number> => {
    await addRecords(db, 'a', 1)
    await world.pass()
    await follow(world.deps)
    await calls.settled()
    return lying.asked.length
  }
  assert.equal(await anchor(), 1)
  assert.equal(await anchor(), 1, 'within the minute')
  nowMs += 60_000
  assert.equal(await anchor(), 2)
  nowMs += 60_000
  await follow(world.deps)
  await calls.settled()
  assert.equal(lying.asked.length, 2, 'it has signed the newest')
  assert.match(lying.asked[1] ?? '', /^old 1\n/, 'with what it signed last')
  await calls.stop()
  nowMs += 60_000
  await anchor()
  assert.equal((await signedIn(db)).length, 4)
})

test('of signatures those stay that a quorum may need, and no more', async () => {
  await using database = await testDb()
  const { db } = database
  const keys = ['a', 'b', 'c'].map((name) => newSigner(`${name}.example/w`, keyTypes.ed25519Cosigner).key)
  const keep = (size: number, ...names: number[]) =>
    keepCosignatures(
      db,
      { origin: ORIGIN, size },
      names.flatMap((i) => {
        const key = keys[i]
        return key === undefined ? [] : [{ key, timeS: NOW_S + size, line: `— ${key.name} AAAA\n` }]
      }),
    )
  const kept = async () =>
    (await db.select().from(logCosignatures)).map(({ size }) => size).sort((x, y) => x - y)
  await keep(1, 0, 1)
  await keep(2, 0)
  assert.deepEqual(await kept(), [1, 1, 2], 'the second has signed no newer one')
  await keep(3, 0, 1)
  assert.deepEqual(await kept(), [3, 3])
  await keep(4, 2)
  assert.deepEqual(await kept(), [3, 3, 4])
  await keep(5, 0, 1, 2)
  assert.deepEqual(await kept(), [5, 5, 5])
})
