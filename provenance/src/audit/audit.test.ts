import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AnchorChanges } from '../bundle-parts.ts'
import type { LedgerReader } from '../ledger.ts'
import { Shop, stateOf } from '../testing/shop.ts'
import { audit, type ShopAnchors } from './audit.ts'
import { type AuditState, auditStateText, parseAuditState } from './audit-state.ts'

/** A minute after the last anchor of a small shop. */
const SOON = 1_795_223_400

const told = (shop: Shop): ShopAnchors => ({
  anchorsFrom: async (from) =>
    shop.anchors.slice(from, from + 2).map((_, i) => factsOf(shop.changesAt(from + i))),
  changesAt: async (index) => shop.changesAt(index),
  absenceOf: async (box) => (shop.anchors.at(-1)?.states.has(box) ? undefined : shop.absenceOf(box)),
})

const factsOf = ({ leaves: _, next: __, ...facts }: AnchorChanges) => facts

/** Three boxes in four anchors. */
function market(): Shop {
  const shop = new Shop()
  for (const box of ['A', 'B', 'C']) shop.append(box, 'registration')
  shop.anchor()
  shop.append('A', 'tracking')
  shop.append('A', 'tracking')
  shop.anchor()
  shop.append('B', 'tracking')
  shop.anchor()
  shop.append('A', 'seal')
  shop.anchor()
  return shop
}

type Told = Partial<ShopAnchors> & { ledger?: LedgerReader; former?: AuditState; nowS?: number }

async function auditOf(shop: Shop, { ledger = shop.ledger(), former, nowS = SOON, ...other }: Told = {}) {
  const { state } = await audit({ ...told(shop), ...other }, ledger, former, nowS)
  const named = state.findings.map(({ code, box, index }) => [code, ...(box ? [box] : []), index].join(' '))
  return { state, named }
}

test('an honest map is followed to its newest anchor, at once or night after night', async () => {
  const shop = market()
  const { state, named } = await auditOf(shop)
  assert.deepEqual([state.next, state.states.length, named], [4, 3, []])
  shop.append('C', 'tracking')
  shop.anchor()
  const kept = parseAuditState(JSON.parse(auditStateText(state)))
  const later = await auditOf(shop, { former: kept })
  assert.deepEqual([later.state.next, later.named], [5, []])
  const asked: number[] = []
  const changesAt = async (index: number) => {
    asked.push(index)
    return shop.changesAt(index)
  }
  await auditOf(shop, { former: kept, changesAt })
  assert.deepEqual(asked, [4], 'nothing is followed twice')
})

test('a box that is taken back for one anchor and grows anew is named, though every root is the contract’s', async () => {
  const shop = market()
  shop.anchorStates([stateOf('B', shop.histories.get('B')?.slice(0, 1) ?? [])])
  shop.append('B', 'tracking', { temperature: 1 })
  shop.anchor()
  assert.deepEqual((await auditOf(shop)).named, ['count_fell B 4', 'numbers_differ 4'])
})

test('a head that changes without growth, a seal undone and a box that grows after it are named', async () => {
  const shop = market()
  const [b, a] = ['B', 'A'].map((box) => stateOf(box, shop.histories.get(box) ?? []))
  assert.ok(a && b)
  shop.anchorStates([{ ...b, head: 'ab'.repeat(32) }])
  shop.anchorStates([{ ...a, sealed: false }])
  shop.anchorStates([a])
  shop.anchorStates([{ ...a, count: a.count + 1 }])
  assert.deepEqual((await auditOf(shop)).named, [
    'changed_without_growth B 4',
    'changed_without_growth A 5',
    'changed_without_growth A 6',
    'grown_after_seal A 7',
  ])
})

test('a box that vanished, and a change that is not told, are found by the root', async () => {
  const shop = market()
  const without = new Shop()
  for (const box of ['A', 'C']) without.histories.set(box, shop.histories.get(box) ?? [])
  without.anchor()
  const [anchor] = without.anchors
  assert.ok(anchor)
  const gone = shop.proofOf(3, 'B')
  assert.ok(gone.leaf)
  const later = new Shop()
  later.anchors.push(...shop.anchors, anchor)
  const changesAt = async (index: number) =>
    index < 4 ? shop.changesAt(index) : { ...later.changesAt(4), leaves: [] }
  const absenceOf = async (box: string) => {
    if (box !== 'B') return undefined
    const proof = without.absenceOf('B')
    return { ...proof, anchor: { ...proof.anchor, index: 4 } }
  }
  const found = await auditOf(later, { changesAt, absenceOf })
  assert.deepEqual(found.named, ['root_differs 4', 'vanished B 4'])
  assert.equal(found.state.next, 4, 'the next audit begins there again')
  const silent = await auditOf(later, { changesAt, absenceOf: async () => undefined })
  assert.deepEqual(silent.named, ['root_differs 4'])
  const again = await auditOf(shop, { former: found.state })
  assert.deepEqual(again.named, found.named, 'what was found once stays')
})

test('other roots and times than the contract’s, and anchors that are not told, are found', async () => {
  const shop = market()
  const otherwise = async (index: number) => ({ ...shop.changesAt(index), time: '2026-11-21T00:00:00Z' })
  assert.deepEqual(
    (await auditOf(shop, { changesAt: otherwise })).named,
    [0, 1, 2, 3].map((i) => `told_otherwise ${i}`),
  )
  const lost = new Shop()
  lost.anchors.push(...shop.anchors.slice(0, 2), ...shop.anchors.slice(1, 2), ...shop.anchors.slice(1, 2))
  const anchorsFrom = async (from: number) =>
    [0, 1, 3].filter((index) => index >= from).map((index) => factsOf(lost.changesAt(index)))
  const restored = await auditOf(lost, { anchorsFrom })
  assert.deepEqual(restored.named.slice(0, 1), ['not_told 2'], 'after a restored backup it goes on')
  assert.equal(restored.state.next, 4)
  const until2 = async (from: number) => (from < 2 ? [factsOf(shop.changesAt(from))] : [])
  assert.deepEqual((await auditOf(shop, { anchorsFrom: until2 })).named, [], 'the others are on their way')
  assert.deepEqual((await auditOf(shop, { anchorsFrom: until2, nowS: SOON + 7_200 })).named, ['not_told 2'])
})

test('a contract that was taken back is found; another one is not audited', async () => {
  const shop = market()
  const { state } = await auditOf(shop)
  const shorter = new Shop()
  shorter.anchors.push(...shop.anchors.slice(0, 2))
  assert.deepEqual((await auditOf(shorter, { former: state })).named, ['rewritten 3'])
  await assert.rejects(auditOf(shop, { former: { ...state, chainId: 1 } }), /of contract/)
  await assert.rejects(auditOf(shop, { former: { ...state, states: [] } }), /do not make the root/)
})

test('of honest histories nothing is ever found, whatever grows when', async () => {
  const growth = fc.array(fc.array(fc.constantFrom('A', 'B', 'C', 'D', 'E'), { minLength: 1 }), {
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(growth, fc.nat(8), async (anchors, half) => {
      const shop = new Shop()
      let former: AuditState | undefined
      for (const [i, boxes] of anchors.entries()) {
        for (const box of boxes) shop.append(box, 'tracking')
        shop.anchor()
        if (i === half) former = (await auditOf(shop)).state
      }
      const { state, named } = await auditOf(shop, { ...(former && { former }) })
      assert.deepEqual(
        [state.next, state.root, named],
        [anchors.length, shop.anchors.at(-1)?.root ?? state.root, []],
      )
    }),
    { numRuns: 40 },
  )
})
