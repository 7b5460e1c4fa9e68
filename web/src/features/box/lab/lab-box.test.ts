import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { recordsOfBox } from '@befaqt/domain/box-records'
import { sampleBox } from '@befaqt/domain/testing/boxes'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { loggedBundle } from '@befaqt/provenance/testing/logged-shop'
import { Shop } from '@befaqt/provenance/testing/shop'
import { verifyBundle } from '@befaqt/provenance/verify'
import { fileUrl } from '#web/api/file-url.ts'
import { provenPage } from '../check/page-match.ts'
import { LabCopy, type LabReach, NotOpened } from './lab-box.ts'
import type { Judge, LabAttack, LabBox, LabCheck, Move, Outcome, Sight } from './lab-types.ts'

const market = { timeZone: 'Australia/Sydney', latitude: -33.87, longitude: 151.19 }
const picture = new Blob(['a picture of the catch'])
const digest = createHash('sha256').update('a picture of the catch').digest('hex')

type Parts = { weights?: boolean; seal?: boolean; logged?: boolean }

/** A sample box with weights, in two anchors and closed in a third, in a shop of two boxes. */
async function shopOf({ weights = true, seal = true, logged = true }: Parts = {}) {
  const box = sampleBox()
  const { boxID } = box
  const caught = box.catchProv && { ...box.catchProv, img: `${digest.slice(0, 32)}.webp` }
  const facts = recordsOfBox({ ...box, catchProv: caught }, { at: '2026-11-17T00:00:00Z', by: 'key:1' })
  const shop = new Shop()
  shop.append('other', 'registration', { boat: 'Sample' })
  shop.anchor()
  const plain = (data: object) => JSON.parse(JSON.stringify(data))
  for (const { kind, data } of facts) shop.append(boxID, kind, plain(data))
  shop.anchor()
  shop.append('other', 'tracking', { temperature: 1 })
  shop.anchor()
  if (weights) shop.append(boxID, 'weight', { of: 'box', grams: 8_000 })
  shop.append(boxID, 'sale', { product: 'Snapper', grams: 2_500 })
  shop.anchor()
  if (seal) shop.append(boxID, 'seal', { reason: 'sold' })
  shop.anchor()
  const bundle = logged ? await loggedBundle(shop, boxID) : shop.bundleOf(boxID)
  return { shop, boxID, bundle }
}

/** The page that an honest shop makes of the records. */
async function pageOf(shop: Shop, bundle: ProofBundle) {
  const result = await verifyBundle(bundle, shop.ledger())
  const row = {
    kind: '',
    at: '',
    by: '',
    recordHash: '',
    state: 'anchored',
    txHash: '0x',
    anchorIndex: 0,
  } as const
  const records = bundle.records.map(({ seq }) => ({ ...row, seq, anchoredAt: null }))
  const view = { records, stage: 'sealed', recall: null, sample: false }
  const { timeZone } = market
  return provenPage(bundle, result, { view, market: { ...market, timeZone } } as Parameters<
    typeof provenPage
  >[2])
}

async function reachOf({ shop, boxID, bundle }: Awaited<ReturnType<typeof shopOf>>): Promise<LabReach> {
  const answers: Record<string, object> = {
    [`/api/box/${boxID}/proof?log=1&scales=1`]: bundle,
    [`/api/box/${boxID}/page`]: await pageOf(shop, bundle),
    '/api/box?page=1&size=20': { rows: [{ boxID }, { boxID: 'other' }] },
    '/api/box/other/proof': shop.bundleOf('other'),
  }
  return {
    get: async (path) => (answers[path] === undefined ? undefined : JSON.stringify(answers[path])),
    bytes: async (href) => {
      assert.equal(href, fileUrl(`${digest.slice(0, 32)}.webp`))
      return picture
    },
    ledger: () => shop.ledger(),
    from: 'https://fish.example/lab',
    wait: async () => undefined,
  }
}

async function opened(parts: Parts = {}): Promise<{ copy: LabCopy; box: LabBox }> {
  const made = await shopOf(parts)
  const order = { boxID: made.boxID, nodes: [], contract: null, market }
  const copy = await LabCopy.take(order, await reachOf(made))
  return { copy, box: await copy.describe() }
}

/** The move that the page offers first. */
function moveOf({ choices }: LabBox, attack: LabAttack): Move {
  const choice = choices[attack]
  assert.ok('first' in choice, `${attack}: ${JSON.stringify(choice)}`)
  return { attack, seq: choice.first }
}

const firstFailed = ({ checks }: Outcome): LabCheck | undefined =>
  checks.find(({ state }) => state === 'failed')?.check

const OWN = 'Unchanged, by the ledger that the shop names; we asked nobody else'

type Row = readonly [
  attack: LabAttack,
  failed: LabCheck | undefined,
  title: string,
  sights: Readonly<Partial<Record<Judge, Sight>>>,
]

const inProof = {
  page: 'sees',
  returning: 'sees',
  checker: 'sees',
  receipt: 'untouched',
  witness: 'untouched',
} as const

const table: readonly Row[] = [
  ['reading', 'prove', 'Altered', inProof],
  ['catch-date', 'prove', 'Altered', inProof],
  ['take-away', 'rebuild', 'Altered', inProof],
  ['take-last', 'complete', 'Records may be missing', inProof],
  ['swap', 'prove', 'Altered', inProof],
  ['slip-in', 'rebuild', 'Altered', inProof], // it pushes the last record behind the seal
  ['other-box', 'rebuild', 'Altered', inProof],
  ['rollback', 'complete', 'Records may be missing', inProof],
  ['rewrite', 'ledger', 'Altered', inProof],
  ['root', 'prove', 'Altered', inProof],
  ['weight', 'prove', 'Altered', inProof],
  ['unseal', 'prove', 'Altered', inProof],
  ['node', 'ledger', 'Altered', { page: 'sees', checker: 'untouched', receipt: 'untouched' }],
  ['log', 'log', 'Altered', { page: 'sees', checker: 'sees', receipt: 'sees', witness: 'sees' }],
  ['page', 'page', 'Doesn’t match', { page: 'sees', checker: 'untouched', receipt: 'untouched' }],
  ['file', 'files', 'Doesn’t match', { page: 'sees', checker: 'untouched', receipt: 'untouched' }],
  ['oversell', 'weights', 'Doesn’t add up', { page: 'sees', checker: 'sees', receipt: 'blind' }],
  [
    'along',
    undefined,
    OWN,
    { page: 'blind', returning: 'sees', checker: 'sees', receipt: 'sees', witness: 'sees' },
  ],
  [
    'lie',
    undefined,
    OWN,
    { page: 'blind', returning: 'blind', checker: 'blind', receipt: 'blind', witness: 'blind' },
  ],
]

const bench = opened()

test('an untouched copy is what the box page says of it, and every attack can be made on it', async () => {
  const { box } = await bench
  assert.deepEqual([box.outcome.line.tone, box.outcome.line.title], ['own', OWN])
  assert.deepEqual([box.outcome.findings, box.outcome.moves, box.outcome.sights], [[], [], null])
  const left = box.outcome.checks.filter(({ state }) => state !== 'done').map(({ check }) => check)
  assert.deepEqual(left, ['signatures'])
  assert.deepEqual(table.map(([attack]) => attack).sort(), Object.keys(box.choices).sort())
})

for (const [attack, failed, title, sights] of table)
  test(`${attack}: ${failed ?? 'nothing fails'}: ${title}`, async () => {
    const { copy, box } = await bench
    const outcome = await copy.attempt([moveOf(box, attack)])
    const { line, checks, moves, findings } = outcome
    assert.deepEqual([firstFailed(outcome), line.title], [failed, title], JSON.stringify(findings))
    assert.equal(line.tone, failed === undefined ? 'own' : 'bad')
    assert.equal(
      checks.some(({ state }) => state === 'failed'),
      findings.length > 0,
    )
    assert.ok(moves[0] && !moves[0].isVoid && moves[0].changes.length > 0)
    assert.deepEqual({ ...outcome.sights, ...sights }, outcome.sights)
    assert.deepEqual(await copy.attempt([]), box.outcome, 'taken back, all is as before')
  })

test('attacks add up, one that finds nothing left says so, and each can be taken back alone', async () => {
  const { copy, box } = await bench
  const [cold, species, unseal] = [moveOf(box, 'reading'), moveOf(box, 'page'), moveOf(box, 'unseal')]
  const both = await copy.attempt([cold, species])
  assert.deepEqual(
    both.moves.map(({ move }) => move.attack),
    ['reading', 'page'],
  )
  const gone = await copy.attempt([unseal, unseal])
  assert.deepEqual(
    gone.moves.map(({ isVoid }) => isVoid),
    [false, true],
  )
  assert.deepEqual(await copy.attempt([species]), await copy.attempt([species]))
})

test('what a box lacks is named', async () => {
  const { copy, box } = await opened({ weights: false, seal: false, logged: false })
  const lacking = Object.entries(box.choices).flatMap(([name, choice]) =>
    'obstacle' in choice ? [[name, choice.obstacle]] : [],
  )
  assert.deepEqual(lacking, [
    ['unseal', 'not_sealed'],
    ['log', 'no_log'],
    ['oversell', 'no_weight'],
  ])
  const { sights } = await copy.attempt([moveOf(box, 'reading')])
  assert.deepEqual([sights?.receipt, sights?.witness], ['none', 'none'])
})

test('a box that is not there, a shop that does not answer, and a ledger that is away are told apart', async () => {
  const made = await shopOf()
  const reach = await reachOf(made)
  const order = { boxID: made.boxID, nodes: [], contract: null, market }
  const refusal = (changed: Partial<LabReach>, boxID = made.boxID) =>
    LabCopy.take({ ...order, boxID }, { ...reach, ...changed }).then(
      () => assert.fail('was taken'),
      (error: unknown) => (error instanceof NotOpened ? error.message : assert.fail(String(error))),
    )
  const away = () => Promise.reject(new TypeError('Failed to fetch'))
  assert.match(await refusal({}, 'none'), /^The shop has no box none\./)
  assert.match(await refusal({ get: away }), /^The box could not be fetched\./)
  assert.match(await refusal({ get: async () => '{"v":2}' }), /is not written the way proofs are/)
  const unread = { ...made.shop.ledger(), count: away }
  assert.match(await refusal({ ledger: () => unread }), /^The ledger could not be read/)
})
