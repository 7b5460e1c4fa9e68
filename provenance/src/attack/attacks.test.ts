import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalize } from '../canonical.ts'
import { compareBundles } from '../check-records.ts'
import { loggedBundle } from '../testing/logged-shop.ts'
import { Shop } from '../testing/shop.ts'
import type { BoxVerdict, Reason } from '../verdict.ts'
import { verifyBundle } from '../verify.ts'
import { type AttackName, attacks } from './attacks.ts'
import { changesBetween } from './compare-scenes.ts'
import { answering, answersOf, honestScene, type Scene } from './scene.ts'

const BOX = 'A'

/** A box that was caught, weighed, cooled, sold of and sealed, in three anchors of growth, with another one beside it. */
async function sceneOf({ sealed = true, logged = true, others = true } = {}): Promise<Scene> {
  const shop = new Shop()
  shop.append('B', 'registration', { fisher: 'B. Sample' })
  shop.append('B', 'tracking', { temperature: 1 })
  shop.anchor()
  shop.append(BOX, 'registration', { fisher: 'F. Sample' })
  shop.append(BOX, 'catch', { species: 'Snapper', time: '2026-11-17 20:10:00' })
  shop.append(BOX, 'weight', { of: 'catch', grams: 10_000 })
  shop.append(BOX, 'tracking', { temperature: 9.5 })
  shop.anchor()
  shop.append('B', 'tracking', { temperature: 2 })
  shop.anchor()
  for (const temperature of [4, 3, 2]) shop.append(BOX, 'tracking', { temperature })
  shop.anchor()
  shop.append(BOX, 'sale', { product: 'Snapper', grams: 4_000 })
  shop.append(BOX, sealed ? 'seal' : 'tracking', sealed ? {} : { temperature: 1 })
  shop.anchor()
  const bundle = logged ? await loggedBundle(shop, BOX) : shop.bundleOf(BOX)
  const other = others ? shop.bundleOf('B') : null
  const answers = await answersOf(shop.ledger(), other ? [bundle, other] : [bundle])
  return honestScene(bundle, answers, other)
}

const checked = (scene: Scene) => verifyBundle(scene.bundle, answering(scene.answers), { box: BOX })

type Row = readonly [name: AttackName, seq: number, verdict: BoxVerdict, code: Reason['code'] | null]

/** What the check says of each attack, and of which it can't say anything. */
const table: readonly Row[] = [
  ['reading', 4, 'broken', 'head_mismatch'],
  ['catch-date', 2, 'broken', 'head_mismatch'],
  ['take-away', 5, 'broken', 'record_missing'],
  ['take-last', 0, 'incomplete', 'newest_records_missing'],
  ['swap', 5, 'broken', 'head_mismatch'],
  ['slip-in', 5, 'broken', 'head_mismatch'],
  ['other-box', 0, 'broken', 'record_of_other_box'],
  ['rollback', 0, 'incomplete', 'newer_anchor'],
  ['rewrite', 4, 'broken', 'root_mismatch'],
  ['root', 0, 'broken', 'proof_mismatch'],
  ['weight', 3, 'broken', 'head_mismatch'],
  ['unseal', 0, 'broken', 'proof_mismatch'],
  ['node', 0, 'broken', 'root_mismatch'],
  ['log', 0, 'broken', 'log_mismatch'],
  ['oversell', 8, 'broken', 'overdrawn'],
  ['along', 4, 'verified', null],
  ['lie', 4, 'verified', null],
]

test('the table has every attack once', () => {
  assert.deepEqual(table.map(([name]) => name).sort(), Object.keys(attacks).sort())
})

for (const [name, seq, verdict, code] of table)
  test(`${name}: ${verdict}${code === null ? '' : `, ${code}`}`, async () => {
    const scene = await sceneOf()
    const kept = canonicalize(scene.bundle)
    const honest = await checked(scene)
    assert.deepEqual([honest.verdict, honest.reasons], ['verified', []])
    const targets = attacks[name].targets(scene)
    assert.ok(targets === null || (Array.isArray(targets) && targets.includes(seq)), String(targets))
    const attacked = attacks[name].act(scene, seq)
    assert.ok(attacked)
    const result = await checked(attacked)
    const codes = result.reasons.map((reason) => reason.code)
    assert.equal(result.verdict, verdict, codes.join(', '))
    assert.ok(code === null ? codes.length === 0 : codes.includes(code), codes.join(', '))
    assert.ok(changesBetween(scene, attacked).changes.length > 0, 'what was changed is told')
    assert.equal(canonicalize(scene.bundle), kept, 'the scene before is as it was')
    assert.deepEqual(changesBetween(scene, scene), { changes: [], more: 0 })
  })

test('a shop whose node lies along is known to the log, to other nodes, and to who saw the box before', async () => {
  const scene = await sceneOf()
  const attacked = attacks.along.act(scene, 4)
  assert.ok(attacked)
  assert.notEqual(attacked.log?.root, scene.log?.root)
  const elsewhere = await verifyBundle(attacked.bundle, answering(scene.answers), { box: BOX })
  assert.ok(elsewhere.reasons.some(({ code }) => code === 'root_mismatch'))
  assert.equal(compareBundles(scene.bundle, attacked.bundle)[0]?.code, 'forked')
})

test('what was false when it was recorded is contradicted by nobody', async () => {
  const scene = await sceneOf()
  const lied = attacks.lie.act(scene, 4)
  assert.ok(lied?.isRecordedSo)
  assert.deepEqual(lied.log, scene.log)
})

test('what a box lacks keeps an attack from it, and is named', async () => {
  const open = await sceneOf({ sealed: false, logged: false, others: false })
  assert.equal(attacks.unseal.targets(open), 'not_sealed')
  assert.equal(attacks.log.targets(open), 'no_log')
  assert.equal(attacks['other-box'].targets(open), 'no_other_box')
  const shop = new Shop()
  shop.append(BOX, 'registration')
  const waiting = honestScene(shop.bundleOf(BOX), await answersOf(shop.ledger(), []), null)
  const said = Object.entries(attacks).map(([name, { targets }]) => [name, targets(waiting)])
  assert.deepEqual(Object.fromEntries(said), {
    reading: 'no_reading',
    'catch-date': 'no_catch',
    'take-away': 'too_short',
    'take-last': 'too_short',
    swap: 'too_short',
    'slip-in': 'no_reading',
    'other-box': 'no_other_box',
    rollback: 'one_state',
    rewrite: 'no_reading',
    root: 'not_anchored',
    weight: 'no_weight',
    unseal: 'not_sealed',
    node: 'not_anchored',
    log: 'no_log',
    along: 'no_reading',
    oversell: 'no_weight',
    lie: 'no_reading',
  })
})

test('any two of them after each other are named too, unless what is changed is what all have agreed on', async () => {
  const names = Object.keys(attacks) as AttackName[]
  const agreed: readonly AttackName[] = ['along', 'lie']
  for (const [first, seq] of table)
    for (const second of names.filter((name) => name !== first)) {
      const scene = await sceneOf()
      const once = attacks[first].act(scene, seq)
      const row = table.find(([name]) => name === second)
      const twice = once && attacks[second].act(once, row?.[1] ?? 0)
      if (!twice || agreed.includes(second)) continue
      const { verdict, reasons } = await checked(twice)
      assert.ok(verdict === 'broken' || verdict === 'incomplete', `${first}, ${second}: ${verdict}`)
      assert.ok(reasons.length > 0)
    }
})
