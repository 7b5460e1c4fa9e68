import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BundleLog } from './bundle-log.ts'
import { fileLedger } from './file-ledger.ts'
import { type BoxResult, LedgerError, type LedgerReader } from './index.ts'
import { noteOf, parseNote, signatureLine } from './log/note.ts'
import type { Policy } from './log/policy.ts'
import { newSigner } from './testing/log.ts'
import {
  loggedBundle,
  logIn,
  logOf,
  newestTime,
  partiesOf,
  policyOf,
  shopOf,
  twoOfThree,
  withLog,
  witnesses,
} from './testing/logged-shop.ts'
import type { Shop } from './testing/shop.ts'
import { verifyBundle } from './verify.ts'

const policy = policyOf(twoOfThree)

async function check(
  bundle: unknown,
  shop: Shop,
  {
    whose = policy,
    ledger = shop.ledger(),
    laterS = 60,
  }: { whose?: Policy; ledger?: LedgerReader; laterS?: number } = {},
): Promise<BoxResult> {
  return verifyBundle(bundle, ledger, { policy: whose, nowS: newestTime(shop) + laterS })
}

const codesOf = ({ reasons }: BoxResult): string[] => [...new Set(reasons.map(({ code }) => code))]
const broken: LedgerReader = {
  live: true,
  identity: () => Promise.reject(new LedgerError('down')),
  count: () => Promise.reject(new LedgerError('down')),
  anchorsOf: () => Promise.reject(new LedgerError('down')),
  eventsOf: () => Promise.reject(new LedgerError('down')),
}

test('two of three have signed: witnessed, by whom and how long ago; without a policy nothing is said of it', async () => {
  const shop = shopOf()
  const bundle = await loggedBundle(shop, 'A')
  const { verdict, reasons, log } = await check(bundle, shop)
  assert.deepEqual([verdict, reasons], ['verified', []])
  assert.deepEqual(log, {
    state: 'witnessed',
    origin: 'fish.example/befaqt/log',
    k: 2,
    n: 3,
    by: [
      { name: 'market', ageS: 60 },
      { name: 'university', ageS: 60 },
    ],
    upTo: 3,
    time: bundle.anchors.at(-1)?.time,
  })
  const alone = await verifyBundle(bundle, shop.ledger())
  assert.deepEqual([alone.verdict, alone.log?.state, alone.log?.k], ['verified', 'no_policy', 0])
  const plain = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.equal(Object.hasOwn(plain, 'log'), false, 'a bundle without a log is answered as before')
  assert.equal((await check(shop.bundleOf('A'), shop)).log?.state, 'no_log')
})

test('newer records are not yet witnessed: up to which, and for a day that lowers nothing', async () => {
  const shop = shopOf()
  for (const [size, upTo] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ] as const) {
    const bundle = await loggedBundle(shop, 'A', { size, timeS: newestTime(shop) })
    assert.equal(logIn(bundle).state !== undefined, size === 2 || size === 4, `${size}`)
    const { verdict, log } = await check(bundle, shop)
    assert.deepEqual([verdict, log?.state, log?.upTo], ['verified', 'witnessed', upTo], `${size}`)
    assert.equal(log?.time, shop.changesAt(size - 1).time)
  }
  const none = await loggedBundle(shop, 'B', { size: 0 })
  assert.equal((await check(none, shop)).log?.state, 'behind')
  const lacking = await loggedBundle(shop, 'A', { size: 4, timeS: newestTime(shop) + 90_000 })
  assert.equal((await check(lacking, shop, { laterS: 90_000 })).log?.state, 'stale')
})

test('what was signed more than a day ago is stale, unless the box was closed by then; ahead of time counts for nothing', async () => {
  const shop = shopOf()
  const bundle = await loggedBundle(shop, 'A')
  assert.equal((await check(bundle, shop, { laterS: 86_400 })).log?.state, 'witnessed')
  const { verdict, log } = await check(bundle, shop, { laterS: 86_401 })
  assert.deepEqual([verdict, log?.state, log?.k], ['verified', 'stale', 2])
  assert.equal((await check(bundle, shop, { laterS: -301 })).log?.state, 'missed')
  const closed = shopOf()
  closed.append('A', 'seal')
  closed.anchor()
  const sealed = await loggedBundle(closed, 'A')
  assert.equal((await check(sealed, closed, { laterS: 1_000_000 })).log?.state, 'witnessed')
})

test('a ledger that does not answer: the box is what the witnesses say of it, or could not be checked', async () => {
  const shop = shopOf()
  const bundle = await loggedBundle(shop, 'A')
  const by = await check(bundle, shop, { ledger: broken })
  assert.deepEqual([by.verdict, by.upTo, by.log?.state], ['verified', 3, 'witnessed'])
  const part = await check(await loggedBundle(shop, 'A', { size: 4 }), shop, { ledger: broken })
  assert.deepEqual([part.verdict, part.upTo], ['verified-up-to', 2])
  assert.deepEqual(
    part.records.map(({ verdict }) => verdict),
    ['anchored', 'anchored', 'pending'],
  )
  const few = await loggedBundle(shop, 'A', { signers: witnesses.slice(0, 1) })
  assert.equal((await check(few, shop, { ledger: broken })).verdict, 'unreachable')
  assert.equal((await check(bundle, shop, { ledger: broken, laterS: 90_000 })).verdict, 'unreachable')
  const records = bundle.records.with(0, { ...bundle.records[0], by: 'x' } as never)
  assert.equal((await check({ ...bundle, records }, shop, { ledger: broken })).verdict, 'broken')
})

test('an older ledger of the shop beside what was witnessed of a later one is a contradiction', async () => {
  const [shop, before] = [shopOf(2), shopOf()]
  const bundle = await loggedBundle(shop, 'A', { timeS: newestTime(shop) })
  const old = { ...bundle, anchors: bundle.anchors.slice(0, -1) }
  const { inclusion } = logIn(bundle)
  const state = { ...shop.changesAt(6), ...shop.proofOf(6, 'A') }
  const { boxes, records } = shop.file().anchors[6] ?? assert.fail()
  const { index, root, time, leaf, path } = state
  const put = withLog(old, {
    inclusion,
    state: { index, root, time, boxes, records, leaf: leaf ?? assert.fail(), path },
  })
  assert.equal((await check(put, shop)).verdict, 'incomplete', 'the newest anchor is not there')
  const { verdict, reasons } = await check(put, before)
  assert.equal(verdict, 'broken')
  assert.deepEqual(reasons.map(({ code, anchor }) => [code, anchor])[0], ['log_conflict', 6])
  const copy = fileLedger({ ...before.file() })
  assert.notEqual((await check(put, before, { ledger: copy })).verdict, 'broken', 'a copy may end earlier')
})

test('a log that says another thing than the ledger is broken, whichever of the two lies', async () => {
  const shop = shopOf()
  const bundle = await loggedBundle(shop, 'A')
  for (const change of [{ boxes: 9 }, { records: 9 }]) {
    const file = shop.file()
    const other = { ...file, anchors: file.anchors.map((a) => (a.index === 1 ? { ...a, ...change } : a)) }
    const found = await check(bundle, shop, { ledger: { ...fileLedger(other), live: true } })
    assert.deepEqual(
      [found.verdict, codesOf(found), found.log?.state],
      ['broken', ['log_conflict'], 'broken'],
    )
  }
  const liar = shopOf()
  liar.append('A', 'tracking')
  liar.anchor()
  const log = logOf(shopOf(1))
  const found = await check(await loggedBundle(liar, 'A', { log }), liar)
  assert.deepEqual([found.verdict, codesOf(found)], ['broken', ['log_mismatch']])
  assert.match(found.reasons[0]?.words ?? '', /The log does not hold anchor 5 as the proof shows it/)
  const unasked = await verifyBundle(await loggedBundle(liar, 'A', { log }), liar.ledger())
  assert.equal(unasked.verdict, 'broken', 'no policy is needed to see it')
})

test('a box that is not shown in the newest state that they signed is behind, and one that is shown falsely is broken', async () => {
  const shop = shopOf()
  const bundle = await loggedBundle(shop, 'A', { size: 4, timeS: newestTime(shop) })
  const { state, ...rest } = logIn(bundle)
  const { 3: left, ...inclusion } = rest.inclusion
  assert.ok(state && left)
  // Anchor 3 is what stands before the last growth, so its entry stays
  const behind = await check({ ...bundle, log: rest }, shop)
  assert.deepEqual([behind.verdict, behind.log?.state], ['verified', 'behind'])
  const lies = [
    { ...state, leaf: { ...state.leaf, count: 1 } },
    { ...state, leaf: { ...state.leaf, sealed: true } },
    { ...state, path: [...state.path, '0'.repeat(64)] },
    { ...state, ...shop.proofOf(3, 'B') },
  ].map(({ index, root, time, boxes, records, leaf, path }) => ({
    index,
    root,
    time,
    boxes,
    records,
    leaf,
    path,
  }))
  for (const lie of lies)
    assert.equal((await check({ ...bundle, log: { ...rest, state: lie } }, shop)).verdict, 'broken')
  assert.equal(
    (await check({ ...bundle, log: { ...rest, inclusion, state } }, shop)).reasons[0]?.code,
    'malformed',
  )
})

test('whose policy: one that can’t be met, another log’s, none asked, own hosts, and keys of others', async () => {
  const shop = shopOf()
  const bundle = await loggedBundle(shop, 'A', { signers: witnesses })
  const stateUnder = async (...lines: string[]) => {
    const { verdict, log } = await check(bundle, shop, { whose: policyOf(`${lines.join('\n')}\n`) })
    assert.equal(verdict, 'verified')
    return `${log?.state} ${log?.k} of ${log?.n}`
  }
  const all = ['group all all market university certifier', 'quorum all']
  assert.equal(await stateUnder(...partiesOf(), ...all), 'witnessed 3 of 3')
  assert.equal(await stateUnder(...partiesOf(), 'quorum none'), 'missed 0 of 0')
  const stranger = newSigner('stranger.example/w', 4)
  assert.equal(
    await stateUnder(...partiesOf([...witnesses, stranger]), 'group g all market stranger', 'quorum g'),
    'missed 1 of 2',
  )
  const elsewhere = newSigner('else.example/befaqt/log')
  assert.equal(await stateUnder(...partiesOf(witnesses, elsewhere), ...all), 'other_log 0 of 0')
  const own = newSigner('witness.fish.example', 4)
  const owned = await loggedBundle(shop, 'A', { signers: [own] })
  const lines = [
    ...partiesOf([own]).map((line) => line.replace('witness witness ', 'witness w ')),
    'quorum w',
  ]
  const found = await check(owned, shop, { whose: policyOf(`${lines.join('\n')}\n`) })
  assert.deepEqual([found.log?.state, found.log?.k, found.log?.n], ['missed', 0, 1])
})

test('another key under the log’s name, a false signature of a witness, and one that is moved are refused and named', async () => {
  const shop = shopOf()
  const bundle = await loggedBundle(shop, 'A')
  const { checkpoint } = logIn(bundle)
  const note = parseNote(checkpoint)
  const impostor = logOf(shop, newSigner('fish.example/befaqt/log'))
  const [, second] = note.signatures
  const market = witnesses[0]?.key ?? assert.fail()
  const bytes = second?.bytes ?? assert.fail()
  const lineOf = (signature: Uint8Array): string => signatureLine(market, signature)
  const older = parseNote(logIn(await loggedBundle(shop, 'A', { size: 4 })).checkpoint).signatures[1]
  const lies: [BundleLog['checkpoint'], RegExp][] = [
    [await impostor.note(), /\$\.log\.checkpoint\.signatures: must hold the log’s/],
    [
      checkpoint + lineOf(bytes.with(40, (bytes[40] ?? 0) ^ 1)),
      /\$\.log\.checkpoint\.signatures\[3\]: is not by/,
    ],
    [checkpoint + lineOf(bytes.with(0, 255)), /no clock/],
    [checkpoint + lineOf(older?.bytes ?? assert.fail()), /is not by the key/],
    [checkpoint + lineOf(bytes.subarray(0, 4)), /too short/],
  ]
  for (const [lie, detail] of lies) {
    const found = await check(withLog(bundle, { checkpoint: lie }), shop)
    assert.deepEqual([found.verdict, codesOf(found), found.log?.state], ['broken', ['log_refused'], 'broken'])
    assert.match(found.reasons[0]?.detail ?? '', detail)
  }
  // Lines of names that nobody knows are passed over; of a doubled one the newest counts, once
  const unknown = signatureLine({ name: 'nobody.example/w', id: '00000000' }, bytes)
  const doubled = await check(withLog(bundle, { checkpoint: checkpoint + unknown + lineOf(bytes) }), shop)
  assert.deepEqual([doubled.verdict, doubled.log?.k, doubled.log?.by.length], ['verified', 2, 2])
  const renamed = noteOf(note.text, [
    ...checkpoint
      .split('\n')
      .slice(4, 5)
      .map((line) => `${line}\n`),
    signatureLine({ name: 'university.example/w', id: market.id }, bytes),
  ])
  assert.equal((await check(withLog(bundle, { checkpoint: renamed }), shop)).log?.k, 0)
})
