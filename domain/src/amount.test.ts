import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Amount,
  add,
  amount,
  amountIn,
  amountOf,
  compare,
  least,
  leftInBox,
  measureOf,
  measures,
  only,
  orNone,
  subtract,
  sumOf,
  unitsBack,
  unitsOf,
} from './amount.ts'

const grams = amount(1_500, 'grams')
const pieces = amount(3, 'pieces')

test('each unit of the shop counts in one measure', () => {
  for (const [unit, measure] of [
    ['kg', 'grams'],
    ['100 g', 'grams'],
    ['G', 'grams'],
    ['dozen', 'dozens'],
    ['Dozen ', 'dozens'],
    ['each', 'pieces'],
    ['bag', 'pieces'],
    ['', 'pieces'],
  ] as const)
    assert.equal(measureOf(unit), measure, unit)
  assert.deepEqual(amountOf('kg', 1.5), grams)
  assert.deepEqual(amountOf('100g', 2.5), amount(250, 'grams'))
  assert.deepEqual(amountOf('dozen', 2), amount(2, 'dozens'))
  assert.deepEqual(amountIn('kg', 1_500), grams)
})

test('amounts of one measure are added, taken away and compared', () => {
  assert.deepEqual(add(grams, amount(1, 'grams')), amount(1_501, 'grams'))
  assert.deepEqual(subtract(pieces, amount(5, 'pieces')), amount(-2, 'pieces'))
  assert.deepEqual(orNone(amount(-2, 'pieces')), amount(0, 'pieces'))
  assert.deepEqual(least(pieces, amount(2, 'pieces')), amount(2, 'pieces'))
  assert.ok(compare(grams, amount(1, 'grams')) > 0)
  assert.deepEqual(only('pieces', [grams, pieces]), [pieces])
  assert.deepEqual(sumOf('dozens', []), amount(0, 'dozens'))
  assert.deepEqual(sumOf('pieces', [pieces, pieces]), amount(6, 'pieces'))
  const kept = { in: amount(12_000, 'grams'), sold: amount(4_500, 'grams'), lost: amount(300, 'grams') }
  assert.deepEqual(leftInBox(kept), amount(7_200, 'grams'))
})

for (const [unit, quantity, lost, want] of [
  ['kg', 2, 0, 2],
  ['kg', 2, 1, 1.999],
  ['kg', 0.3, 100, 0.2],
  ['kg', 2, 1_000, 1],
  ['kg', 2, 2_100, 0],
  ['100g', 5, 250, 2.5],
  ['bag', 3, 2, 1],
] as const)
  test(`of ${quantity} ${unit} without ${lost}, ${want} may be sold again`, () => {
    assert.equal(unitsBack({ unit, quantity }, amountIn(unit, lost)), want)
  })

type Grams = Amount<'grams'>
type Pieces = Amount<'pieces'>
type Takes<Act, Args extends unknown[]> = Act extends (...args: Args) => unknown ? true : false
type Box<Sold> = { in: Grams; sold: Sold; lost: Grams }

/** Which calls compile. Its type is worked out from the functions: another answer here is an error of the compiler. */
const compiles: {
  'grams and grams': Takes<typeof add, [Grams, Grams]>
  'grams and pieces': Takes<typeof add, [Grams, Pieces]>
  'grams without pieces': Takes<typeof subtract, [Grams, Pieces]>
  'grams beside dozens': Takes<typeof compare, [Grams, Amount<'dozens'>]>
  'the smaller of pieces and grams': Takes<typeof least, [Pieces, Grams]>
  'a sum of grams': Takes<typeof sumOf<'grams'>, ['grams', Grams[]]>
  'a sum of grams and pieces': Takes<typeof sumOf<'grams'>, ['grams', (Grams | Pieces)[]]>
  'a box that sold by weight': Takes<typeof leftInBox, [Box<Grams>]>
  'a box that sold by the piece': Takes<typeof leftInBox, [Box<Pieces>]>
  'grams and a number': Takes<typeof add, [Grams, number]>
  'grams and what a row says': Takes<typeof add, [Grams, Amount]>
  'what two rows say': Takes<typeof add, [Amount, Amount]>
} = {
  'grams and grams': true,
  'grams and pieces': false,
  'grams without pieces': false,
  'grams beside dozens': false,
  'the smaller of pieces and grams': false,
  'a sum of grams': true,
  'a sum of grams and pieces': false,
  'a box that sold by weight': true,
  'a box that sold by the piece': false,
  'grams and a number': false,
  'grams and what a row says': false,
  'what two rows say': true,
}

test('two measures do not compile', () => {
  assert.equal(Object.values(compiles).filter(Boolean).length, 4)
})

test('two measures that come from rows throw, whatever is done with them', () => {
  const known = fc.constantFrom(...measures)
  fc.assert(
    fc.property(known, known, fc.nat(), fc.nat(), (one, other, a, b) => {
      const pair: [Amount, Amount] = [amount(a, one), amount(b, other)]
      const all = [
        () => add(...pair),
        () => subtract(...pair),
        () => compare(...pair),
        () => least(...pair),
        () => sumOf(one, [amount(b, other)]),
      ]
      for (const act of all)
        if (one === other) act()
        else assert.throws(act, TypeError)
    }),
  )
  assert.throws(() => unitsOf('bag', grams), TypeError)
  assert.throws(() => unitsBack({ unit: 'kg', quantity: 2 }, pieces), TypeError)
  assert.throws(() => unitsOf('dozen', pieces), TypeError)
})

test('units of an amount are those that it was made of', () => {
  assert.equal(unitsOf('kg', grams), 1.5)
  assert.equal(unitsOf('100g', amount(25, 'grams')), 0.25)
  assert.equal(unitsOf('bag', pieces), 3)
  fc.assert(
    fc.property(fc.constantFrom('kg', '100g', 'g', 'each', 'dozen'), fc.nat(1_000_000), (unit, quantity) => {
      assert.equal(unitsOf(unit, amountOf(unit, quantity)), quantity)
    }),
  )
})
