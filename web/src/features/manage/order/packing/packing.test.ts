import assert from 'node:assert/strict'
import test from 'node:test'
import { type Amount, amount } from '@befaqt/domain/amount'
import {
  boxesBeside,
  boxesOf,
  hasErrors,
  isUnchanged,
  lineErrors,
  missing,
  type OrderLine,
  packedLines,
  reweighed,
  type TypedLine,
  typedAmount,
  typedGrams,
  typedLines,
  typedOf,
  typedTotal,
  weightAndBox,
  withBox,
  withEarliest,
  withScannedBox,
  withWeight,
} from './packing.ts'

const snapper: OrderLine = {
  position: 1,
  product_id: 's',
  title: 'Snapper',
  unit: 'kg',
  price: 3_000,
  discount: 0,
  includeGST: false,
  quantity: 2,
  orderedGrams: 2_000,
  finalGrams: null,
  subtotal: 6_000,
  savings: 0,
  gst: 0,
  total: 6_000,
  origin: null,
  leftOut: null,
  boxes: [],
}
const ice: OrderLine = {
  ...snapper,
  position: 2,
  product_id: 'i',
  unit: 'bag',
  quantity: 3,
  orderedGrams: null,
  price: 500,
}
const grams = (value: number): Amount => amount(value, 'grams')
const pieces = (value: number): Amount => amount(value, 'pieces')
const plenty = () => grams(10_000)
const empty = { grams: '', scale: '', boxes: [], noBox: null }

test('weights are typed in grams or kilograms', () => {
  for (const [text, grams] of [
    ['2050', 2_050],
    [' 2,050 g', 2_050],
    ['2.05kg', 2_050],
    ['2.0504 kg', 2_050],
    ['0', null],
    ['1.5', null],
    ['-3', null],
    ['2,05', null],
    ['1001 kg', null],
    ['', null],
    ['heavy', null],
  ] as const)
    assert.equal(typedGrams(text), grams, text)
})

test('what is counted is typed as a number alone: a weight is no number of bags', () => {
  for (const [text, unit, want] of [
    ['0.5 kg', 'kg', grams(500)],
    ['500', '100g', grams(500)],
    ['3', 'bag', pieces(3)],
    ['3', 'dozen', amount(3, 'dozens')],
    ['2 kg', 'bag', null],
    ['200 g', 'dozen', null],
    ['1.5', 'bag', null],
  ] as const)
    assert.deepEqual(typedAmount(text, unit), want, `${text} of what is sold by ${unit}`)
  const typed = { ...empty, boxes: [{ boxID: 'A', amount: '0.003 kg' }] }
  assert.deepEqual(lineErrors(ice, typed, () => pieces(9)).boxes, ['must be whole pieces'])
})

test('a box gives what is missing, as far as it has it, and boxes have to add up', () => {
  const weighed = { ...empty, grams: '2050' }
  const one = withBox(snapper, weighed, 'A', grams(1_500))
  assert.deepEqual(one.boxes, [{ boxID: 'A', amount: '1500' }])
  assert.deepEqual(
    [missing(snapper, one), lineErrors(snapper, one, plenty).sum],
    [grams(550), 'The boxes are 550 grams short.'],
  )
  const both = withBox(snapper, one, 'B', grams(9_000))
  assert.deepEqual([missing(snapper, both), hasErrors(lineErrors(snapper, both, plenty))], [grams(0), false])
  assert.equal(withBox(snapper, both, 'A', grams(9_000)), both, 'no box twice')
  assert.equal(lineErrors(snapper, both, () => grams(1_000)).boxes[0], 'only 1,000 left in this box')
  assert.ok(hasErrors(lineErrors(snapper, empty, plenty)))
  assert.deepEqual(withBox(ice, empty, 'C', pieces(2)).boxes, [{ boxID: 'C', amount: '2' }])
})

test('a line that is weighed comes from no box that holds its product by the piece', () => {
  const box = { product_id: 's', caughtAt: null, bestBy: null, left: 9 }
  const boxes = [
    { ...box, boxID: 'A', counted: 'pieces' as const },
    { ...box, boxID: 'B', counted: 'grams' as const },
  ]
  assert.deepEqual(boxesOf(snapper, boxes), [{ boxID: 'B', bestBy: null, left: grams(9) }])
  assert.deepEqual(boxesOf({ ...snapper, unit: 'dozen', orderedGrams: null }, boxes), [])
})

test('a single box that gave all of it follows a new weight, others do not', () => {
  const one = withBox(snapper, { ...empty, grams: '2000' }, 'A', grams(9_000))
  assert.equal(withWeight(snapper, one, '2100', '').boxes[0]?.amount, '2100')
  assert.equal(withWeight(snapper, one, '21oo', '').boxes[0]?.amount, '2000')
  const two = { ...one, boxes: [...one.boxes, { boxID: 'B', amount: '1' }] }
  assert.deepEqual(withWeight(snapper, two, '2100', '').boxes, two.boxes)
})

test('while a weight is typed the earliest boxes follow it, those that were chosen do not', () => {
  const boxes = [
    { boxID: 'A', bestBy: null, left: grams(1_500) },
    { boxID: 'B', bestBy: null, left: grams(9_000) },
  ]
  const typing = (from: TypedLine, text: string) =>
    [...text].reduce(
      (typed, _, i) => reweighed(snapper, typed, { grams: text.slice(0, i + 1), scale: '' }, boxes),
      from,
    )
  assert.deepEqual(typing(empty, '2050').boxes, [
    { boxID: 'A', amount: '1500' },
    { boxID: 'B', amount: '550' },
  ])
  const fromB = withBox(snapper, { ...empty, grams: '2000' }, 'B', grams(9_000))
  assert.deepEqual(typing(fromB, '2050').boxes, [{ boxID: 'B', amount: '2050' }])
})

test('a label that is scanned behind a weight is told from it', () => {
  const boxes = [{ boxID: 'MO-0001' }, { boxID: '0345579444' }]
  const url = 'https://shop.example/SFMBox/byId/0345579444'
  const read = (text: string) => Object.values(weightAndBox(text, boxes))
  assert.deepEqual(read('2050'), ['2050', null])
  assert.deepEqual(read(' 2.05 kg '), ['2.05 kg', null])
  assert.deepEqual(read('2050MO-0001'), ['2050', 'MO-0001'])
  assert.deepEqual(read('0345579444'), ['', '0345579444'])
  assert.deepEqual(read('20500345579444'), ['2050', '0345579444'])
  assert.deepEqual(read(`2.05 kg${url}`), ['2.05 kg', '0345579444'])
  assert.deepEqual(read('9345579444'), ['', '9345579444'], 'a box that the line does not know')
  assert.deepEqual(read('205o'), ['205o', null])
  assert.deepEqual(Object.values(weightAndBox('2050', [{ boxID: '50' }])), ['2050', null])
})

test('the box that is scanned takes the place of those that give all of it, or gives what they don’t', () => {
  const typed = { ...empty, grams: '2050' }
  const scan = (from: readonly [string, string][], boxID: string, left = 9_000) =>
    withScannedBox(
      snapper,
      { ...typed, boxes: from.map(([id, amount]) => ({ boxID: id, amount })) },
      boxID,
      grams(left),
    ).boxes.map(({ boxID: id, amount }) => [id, amount])
  assert.deepEqual(scan([['A', '2050']], 'B'), [['B', '2050']])
  assert.deepEqual(scan([['A', '20500345']], 'A'), [['A', '2050']], 'digits of the label were in its weight')
  assert.deepEqual(scan([['A', '1500']], 'B'), [
    ['A', '1500'],
    ['B', '550'],
  ])
  assert.deepEqual(scan([], 'B', 900), [['B', '900']])
  const two: [string, string][] = [
    ['A', '1500'],
    ['B', '550'],
  ]
  assert.deepEqual(scan(two, 'B'), two)
})

test('a weight is taken from the earliest boxes, unless it is said to be from none', () => {
  const boxes = ['A', 'B', 'C'].map((boxID, i) => ({
    boxID,
    bestBy: null,
    left: grams([0, 1_500, 9_000][i] ?? 0),
  }))
  const weighed = { ...empty, grams: '2000' }
  assert.deepEqual(withEarliest(snapper, weighed, boxes).boxes, [
    { boxID: 'B', amount: '1500' },
    { boxID: 'C', amount: '500' },
  ])
  for (const typed of [empty, { ...weighed, noBox: '' }, withBox(snapper, weighed, 'C', grams(9))])
    assert.equal(withEarliest(snapper, typed, boxes), typed)
  const errors = (noBox: string | null, isBoxed = true) =>
    lineErrors(snapper, { ...weighed, noBox }, plenty, isBoxed).noBox
  assert.deepEqual(
    [errors(null), errors(' '), errors('From the counter'), errors(null, false)],
    ['Name the box it is from.', 'reason is required', undefined, undefined],
  )
  const [sent] = packedLines([snapper], { 1: { ...weighed, noBox: ' From the counter ' } })
  assert.deepEqual(sent, { position: 1, grams: 2_000, boxes: [], noBox: 'From the counter' })
})

test('only what was typed otherwise is sent', () => {
  const saved = {
    ...snapper,
    finalGrams: 2_000,
    boxes: [{ boxID: 'A', amount: 2_000, recall: null, sale: null }],
  }
  assert.ok(isUnchanged(saved, typedOf(saved)))
  const otherwise = { ...typedOf(saved), grams: '2.0 kg', boxes: [{ boxID: 'A', amount: '2,000' }] }
  assert.ok(isUnchanged(saved, otherwise), 'what was saved is not to be saved again for how it is written')
  assert.ok(!isUnchanged(saved, { ...otherwise, grams: '2.0' }))
  const typed = { ...typedLines([saved, ice]), 2: withBox(ice, empty, 'C', pieces(9)) }
  assert.deepEqual(packedLines([saved, ice], typed), [{ position: 2, boxes: [{ boxID: 'C', amount: 3 }] }])
  const weighed = { ...typed, 1: withWeight(saved, typedOf(saved), '2.1 kg', 'Bench') }
  assert.deepEqual(packedLines([saved, ice], weighed)[0], {
    position: 1,
    grams: 2_100,
    scale: 'Bench',
    boxes: [{ boxID: 'A', amount: 2_100 }],
  })
})

test('the total follows the weights that are typed', () => {
  const totals = { subtotal: 0, savings: 0, gst: 0, delivery: 0, total: 0, taxable: 0, free: 0 }
  const order = { lines: [snapper, ice], totals }
  assert.equal(typedTotal(order, typedLines(order.lines)), 7_500)
  assert.equal(typedTotal(order, { 1: { ...empty, grams: '2050' } }), 7_650)
})

test('lines of one product share a box: what one is typed to take is not left for the other', () => {
  const fillets: OrderLine = { ...snapper, position: 3 }
  const lines = [snapper, ice, fillets]
  const box = (boxID: string, left: number, more = {}) => ({
    ...{ product_id: 's', boxID, caughtAt: null, bestBy: null, left, counted: 'grams' as const },
    ...more,
  })
  const boxes = [box('A', 2_500), box('B', 9_000), box('A', 40, { product_id: 'i', counted: 'pieces' })]
  const from = (boxID: string, amount: string) => ({ ...empty, grams: amount, boxes: [{ boxID, amount }] })
  const typed = { 1: from('A', '2000'), 2: { ...empty, boxes: [{ boxID: 'A', amount: '3' }] }, 3: empty }
  const beside = boxesBeside(fillets, { lines, boxes }, typed)
  assert.deepEqual(
    beside.map(({ left }) => left),
    [500, 9_000, 40],
  )
  const { boxes: chosen } = withEarliest(fillets, { ...empty, grams: '1000' }, boxesOf(fillets, beside))
  assert.deepEqual(chosen, [
    { boxID: 'A', amount: '500' },
    { boxID: 'B', amount: '500' },
  ])
  const much = { ...typed, 1: from('A', '2,600 g') }
  assert.equal(boxesBeside(fillets, { lines, boxes }, much)[0]?.left, 0)
  assert.equal(boxesBeside(snapper, { lines, boxes }, typed)[0]?.left, 2_500, 'its own is no other’s')
  const leftOut = lines.map((line) => (line === snapper ? { ...line, leftOut: 'none' } : line))
  assert.equal(boxesBeside(fillets, { lines: leftOut, boxes }, typed)[0]?.left, 2_500)
})
