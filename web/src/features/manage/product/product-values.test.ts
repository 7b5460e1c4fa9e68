import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProductForm, readBulkUpdate } from './product-values.ts'

const nothing = { category: '', status: '', stock: '', discount: '', way: '', amount: '' }

const asked = [
  [{ ...nothing, status: 'INACTIVE' }, { status: 'INACTIVE' }],
  [{ ...nothing, category: 'c1' }, { category_id: 'c1' }],
  [{ ...nothing, stock: '0' }, { stock: 0 }],
  [{ ...nothing, stock: '1,200' }, { stock: 1200 }],
  [{ ...nothing, discount: '20' }, { discount: 20 }],
  [{ ...nothing, discount: '0' }, { discount: 0 }],
  [{ ...nothing, way: 'value', amount: '$12.50' }, { priceValue: 12.5 }],
  [{ ...nothing, way: 'delta', amount: '-2' }, { priceDelta: -2 }],
  [{ ...nothing, way: 'percent', amount: '10' }, { priceFactor: 1.1 }],
  [
    { ...nothing, way: 'percent', amount: '-25', stock: '5' },
    { priceFactor: 0.75, stock: 5 },
  ],
] as const

for (const [form, set] of asked)
  test(`${JSON.stringify(form)} becomes ${JSON.stringify(set)}`, () =>
    assert.deepEqual(readBulkUpdate(form), { set, errors: {} }))

const wrong = [
  [nothing, 'status'],
  [{ ...nothing, stock: '-1' }, 'stock'],
  [{ ...nothing, stock: '1.2345' }, 'stock'],
  [{ ...nothing, discount: '101' }, 'discount'],
  [{ ...nothing, discount: '7.5' }, 'discount'],
  [{ ...nothing, way: 'value', amount: '' }, 'amount'],
  [{ ...nothing, way: 'value', amount: '-3' }, 'amount'],
  [{ ...nothing, way: 'value', amount: '12,50' }, 'amount'],
  [{ ...nothing, way: 'percent', amount: '2,5' }, 'amount'],
  [{ ...nothing, stock: '1,5' }, 'stock'],
  [{ ...nothing, way: 'delta', amount: '0.001' }, 'amount'],
  [{ ...nothing, way: 'percent', amount: '-101' }, 'amount'],
] as const

for (const [form, field] of wrong)
  test(`${JSON.stringify(form)} is rejected at ${field}`, () =>
    assert.deepEqual(Object.keys(readBulkUpdate(form).errors), [field]))

const typed = {
  title: ' Snapper ',
  category_id: 'c1',
  price: '$1,234.50',
  unit: 'kg',
  discount: '10',
  stock: '4',
  shelfPos: '1.1',
  status: 'ACTIVE',
  description: '',
}

test('numbers are parsed as people type them, and an unchecked checkbox is false', () => {
  const product = ProductForm.parse(typed)
  assert.equal(product.title, 'Snapper')
  assert.equal(product.price, 1234.5)
  assert.equal(product.includeGST, false)
  assert.equal(ProductForm.parse({ ...typed, includeGST: 'on' }).includeGST, true)
})

const refused = [
  ['price', '12.345', 'price must not have fractions of a cent'],
  ['price', '-1', 'price must not be negative'],
  ['price', '12,50', 'price: write 12.50 for twelve dollars fifty'],
  ['stock', '1,5', 'stock: write commas only between thousands, as in 1,200'],
  ['price', 'cheap', 'price must be a number'],
  ['price', '', 'price must be a number'],
  ['discount', '101', 'discount must be 0 to 100'],
  ['stock', '1000000000', 'stock must be at most 1000000'],
  ['title', '   ', 'title is required'],
] as const

for (const [field, value, message] of refused)
  test(`${field} '${value}' is rejected at its field: ${message}`, () => {
    const issues = ProductForm.safeParse({ ...typed, [field]: value }).error?.issues ?? []
    assert.deepEqual(
      issues.map((issue) => [issue.path[0], issue.message]),
      [[field, message]],
    )
  })

test('allergens are the boxes that are ticked, and countries what stands between commas', () => {
  const product = ProductForm.parse({
    ...typed,
    origin: 'Australia, New Zealand',
    'contains-sulphites': 'on',
    'contains-crustacean': 'on',
    pieceWeight: '1,200',
  })
  assert.deepEqual(product.origin, ['Australia', 'New Zealand'])
  assert.deepEqual(product.allergens, ['crustacean', 'sulphites'])
  assert.equal(product.pieceWeight, 1_200)
  assert.deepEqual(ProductForm.parse(typed).allergens, [])
})

test('preparations are the boxes that are ticked, with fees in dollars; what is wrong is named by its field', () => {
  const ticked = { 'prepared-gutted': 'on', 'yield-gutted': '85', 'fee-gutted': '$2.50' }
  const fillets = { 'prepared-skin-off': 'on', 'yield-skin-off': '45', 'fee-skin-off': '0' }
  const unticked = { 'yield-skin-on': 'x', 'fee-skin-on': '' }
  assert.deepEqual(ProductForm.parse({ ...typed, ...ticked, ...unticked, ...fillets }).preparations, [
    { kind: 'gutted', yieldPercent: 85, feeCents: 250 },
    { kind: 'skin-off', yieldPercent: 45, feeCents: 0 },
  ])
  const wrongAt = (more: object) =>
    ProductForm.safeParse({ ...typed, ...ticked, ...fillets, ...more }).error?.issues.map(
      ({ path }) => path[0],
    )
  assert.deepEqual(wrongAt({ 'yield-skin-off': '0' }), ['yield-skin-off'])
  for (const fee of ['', '2.005', '1,5', '-1', '1000.01'])
    assert.deepEqual(wrongAt({ 'fee-gutted': fee }), ['fee-gutted'], fee)
  assert.deepEqual(wrongAt({ unit: 'dozen' }), ['preparations'])
})
