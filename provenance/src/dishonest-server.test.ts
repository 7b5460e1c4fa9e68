import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareBundles } from './check-records.ts'
import { anchorBox, checkedByVisitor, marketShop, recordsOf, rewrite } from './testing/dishonest-server.ts'
import { otherAnchors, rewritten } from './testing/lies-of-anchors.ts'
import { absence, type Lie, otherRows, otherValues } from './testing/lies-of-records.ts'
import { stateOf } from './testing/shop.ts'
import { codesOf } from './testing/three-anchors.ts'

const table: { readonly [kind: string]: readonly Lie[] } = {
  'shows otherwise': otherValues,
  'shows other rows': otherRows,
  'rewrites what is anchored': rewritten,
  'shows other anchors': otherAnchors,
  'denies a box': absence,
}

for (const [kind, lies] of Object.entries(table))
  for (const [what, named, tell] of lies)
    test(`a server that ${kind}: ${what}: ${named}`, async () => {
      const shop = marketShop()
      const { verdict, reasons } = await checkedByVisitor(shop, tell(shop))
      assert.ok(['broken', 'incomplete'].includes(verdict), verdict)
      const codes = reasons.map(({ code }) => code)
      assert.ok(codes.includes(named), `named ${codes.join(', ')}`)
    })

test('the shop that tells none of these lies is verified', async () => {
  const shop = marketShop()
  const result = await checkedByVisitor(shop, shop.bundleOf('A'))
  assert.deepEqual([result.verdict, codesOf(result), result.box], ['verified', [], 'A'])
  assert.equal((await checkedByVisitor(shop, shop.absenceOf('not there'))).verdict, 'absent')
})

test('the proof of another box in its place is that box’s, and says so', async () => {
  const shop = marketShop()
  const result = await checkedByVisitor(shop, shop.bundleOf('B'))
  assert.deepEqual([result.verdict, result.box], ['verified', 'B'])
})

test('a record that is dated back or ahead before its anchor is verified, and its lateness tells', async () => {
  const shop = marketShop()
  shop.append('A', 'tracking', { temperature: 1 }, 2 * 86_400)
  shop.append('A', 'tracking', { temperature: 1 }, -600)
  shop.anchor()
  const result = await checkedByVisitor(shop, shop.bundleOf('A'))
  assert.deepEqual([result.verdict, codesOf(result)], ['verified', ['dated_ahead']])
  assert.deepEqual(result.lateness, { largestS: 2 * 86_400, overAnHour: 1 })
})

test('a box taken back in one anchor and grown otherwise later: one bundle passes, lateness and a second one tell', async () => {
  const shop = marketShop()
  const seenBefore = shop.bundleOf('A')
  assert.equal((await checkedByVisitor(shop, seenBefore)).lateness.largestS, 40)
  anchorBox(shop, recordsOf(shop).slice(0, 2))
  shop.append('D', 'tracking')
  shop.anchorStates([stateOf('D', shop.histories.get('D') ?? [])])
  rewrite(shop)
  anchorBox(shop)
  const whole = shop.bundleOf('A')
  const [first, newest] = [whole.anchors[0], whole.anchors.at(-1)]
  assert.ok(first && newest)
  const told = { ...whole, anchors: [first, { ...newest, before: shop.proofOf(newest.index - 1, 'A') }] }
  const result = await checkedByVisitor(shop, told)
  assert.deepEqual([result.verdict, codesOf(result)], ['verified', []])
  assert.equal(
    result.lateness.largestS,
    40 + 5 * 60,
    'the third record, which anchor 3 held, is now of anchor 8',
  )
  const [fork] = compareBundles(seenBefore, told)
  assert.deepEqual([fork?.code, fork?.seq], ['forked', 4])
})
