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
  changesAt: (index) => pageOf(shop.changesAt(index)),
  absenceOf: async (box) => (shop.anchors.at(-1)?.states.has(box) ? undefined : shop.absenceOf(box)),
})

async function* pageOf(...pages: AnchorChanges[]): AsyncIterable<AnchorChanges> {
  yield* pages
}

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
  const changesAt = (index: number) => {
    asked.push(index)
    return pageOf(shop.changesAt(index))
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

test('a box whose new head does not follow from its records is named, though it grew and every root is the contract’s', async () => {
  const shop = market()
  const other = new Shop()
  for (const n of [1, 2, 3]) other.append('B', 'tracking', { temperature: n })
  shop.histories.set('B', other.histories.get('B') ?? [])
  shop.anchor()
  const { named } = await auditOf(shop)
  assert.deepEqual(named, ['not_following B 4'])
  const told = (records: readonly string[]) => ({
    changesAt: (index: number) => {
      const changes = shop.changesAt(index)
      return pageOf(
        index < 4 ? changes : { ...changes, leaves: changes.leaves.map((l) => ({ ...l, records })) },
      )
    },
  })
  for (const records of [[], ['ab'.repeat(32)], ['ab'.repeat(32), 'cd'.repeat(32)]])
    assert.deepEqual((await auditOf(shop, told(records))).named, ['not_following B 4'])
})

test('several boxes that are taken out at once are named where the shop proves that they are gone', async () => {
  const shop = market()
  shop.anchorWithout('B', 'C')
  const absenceOf = async (box: string) => {
    return box === 'A' ? undefined : shop.absenceOf(box)
  }
  const { named } = await auditOf(shop, { absenceOf })
  assert.deepEqual(named, ['root_differs 4', 'vanished B 4', 'vanished C 4'])
})

test('a box that is taken out of one anchor and grows anew in the next is named', async () => {
  for (const box of ['A', 'B', 'C']) {
    const shop = market()
    shop.anchorWithout(box)
    shop.append(box, 'tracking')
    shop.anchorStates([stateOf(box, shop.histories.get(box) ?? [])])
    assert.deepEqual((await auditOf(shop)).named, ['root_differs 4', `vanished ${box} 4`])
  }
})

test('pages of an anchor are one: a box whose records part them, other states, boxes out of order', async () => {
  const shop = market()
  const whole = shop.changesAt(1)
  const [leaf] = whole.leaves
  assert.ok(leaf)
  const [first = '', second = ''] = leaf.records
  const half = (record: string, more = {}) => ({
    ...whole,
    leaves: [{ ...leaf, records: [record], ...more }],
  })
  const auditWith = (...pages: AnchorChanges[]) =>
    auditOf(shop, { changesAt: (i) => (i === 1 ? pageOf(...pages) : pageOf(shop.changesAt(i))) })
  assert.deepEqual((await auditWith(half(first), half(second))).named, [])
  assert.deepEqual((await auditWith(half(second), half(first))).named, ['not_following A 1'])
  await assert.rejects(auditWith(half(first), half(second, { count: 4 })), /of different anchors/)
  const other = { ...whole, leaves: shop.changesAt(2).leaves }
  await assert.rejects(auditWith(half(first), other, half(second)), /of different anchors/)
  await assert.rejects(auditWith(other, half(first)), /of different anchors/)
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
  shop.anchorWithout('B')
  const absenceOf = async () => undefined
  const found = await auditOf(shop, { absenceOf })
  assert.deepEqual(found.named, ['root_differs 4', 'vanished B 4'], 'though the shop says nothing')
  assert.equal(found.state.next, 4, 'the next audit begins there again')
  shop.anchors.pop()
  shop.anchor()
  const again = await auditOf(shop, { former: found.state })
  assert.deepEqual(again.named, found.named, 'what was found once stays')
})

test('other roots and times than the contract’s, and anchors that are not told, are found', async () => {
  const shop = market()
  const otherwise = (index: number) => pageOf({ ...shop.changesAt(index), time: '2026-11-21T00:00:00Z' })
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
