import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { apportion, type CouponLine, couponIdle, withCoupon } from './coupon.ts'
import { CouponCheck, CouponInput } from './coupon-input.ts'
import { addCents, type Cents, cents, discounted, gstIncluded } from './money.ts'
import { invoiceTotals } from './order-documents.ts'
import { orderLineTotals } from './order-totals.ts'

const amount = (max: number) => fc.integer({ min: 0, max }).map(cents)
const weights = fc.array(amount(10_000_000_000), { maxLength: 40 })

test('an amount is spread in whole cents that add up to it, each within a cent of its proportion', () => {
  fc.assert(
    fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (each, part) => {
      const all = addCents(each)
      const off = cents(Math.floor(all * part))
      const shares = apportion(off, each)
      assert.equal(addCents(shares), all === 0 ? 0 : off)
      for (const [i, share] of shares.entries()) {
        const weight = each[i] ?? 0
        assert.ok(share >= 0 && share <= weight, `${share} of ${weight}`)
        // In whole numbers: |share − off × weight / all| < 1.
        const difference = BigInt(share) * BigInt(all) - BigInt(off) * BigInt(weight)
        assert.ok(difference < BigInt(all) && -difference < BigInt(all))
      }
    }),
  )
})

test('what is left goes to the largest fractions, of equal ones to the earlier line', () => {
  assert.deepEqual(apportion(cents(100), [1, 1, 1].map(cents)), [34, 33, 33])
  assert.deepEqual(apportion(cents(10), [cents(333), cents(667)]), [3, 7])
  assert.deepEqual(apportion(cents(0), []), [])
  assert.deepEqual(apportion(cents(5), [cents(0), cents(0)]), [0, 0])
})

const line = fc.record({
  productId: fc.constantFrom('a', 'b', 'c'),
  priceCents: amount(5_000),
  quantity: fc.integer({ min: 1, max: 20 }),
  finalGrams: fc.option(fc.integer({ min: 1, max: 20_000 })),
  discount: fc.integer({ min: 0, max: 100 }),
  includeGST: fc.boolean(),
})
const terms = fc.record({
  percent: fc.constantFrom(null, 1, 10, 33, 100),
  amount: amount(50_000),
  minimum: amount(20_000),
  products: fc.option(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })),
})

test('of any order and coupon: sums add up, GST is of what is paid, and nothing is ever below zero', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), terms, (ordered, coupon) => {
      const before = ordered.map((one): CouponLine => {
        const priced = { ...one, unit: 'kg' }
        const { productId, includeGST } = one
        const sums = orderLineTotals(priced, one.finalGrams)
        return { productId, includeGST, ordered: orderLineTotals(priced, null).total, ...sums }
      })
      const after = withCoupon(before, coupon)
      const { total, taxable, free, gst, subtotal, savings, coupon: off = 0 } = invoiceTotals(after)
      const named: readonly string[] | null = coupon.products
      const isFor = ({ productId }: CouponLine) => named?.includes(productId) ?? true
      const sum = addCents(before.filter(isFor).map((one) => one.total))
      const reached = addCents(before.filter(isFor).map((one) => one.ordered)) >= coupon.minimum
      const whole = coupon.percent === null ? coupon.amount : sum - discounted(sum, coupon.percent)
      assert.equal(off, reached ? Math.min(whole, sum) : 0)
      assert.equal(subtotal - savings - off, total)
      assert.equal(taxable + free, total)
      assert.equal(gst, addCents(after.flatMap((one) => (one.includeGST ? gstIncluded(one.total) : []))))
      for (const [i, one] of after.entries()) {
        const was = before[i]
        assert.ok(was && one.total >= 0 && one.total === was.total - (one.coupon ?? 0))
        if (!isFor(one)) assert.deepEqual(one, was)
      }
    }),
  )
})

const sold = (productId: string, total: number, ordered = total, includeGST = false): CouponLine => ({
  ...{ productId, includeGST, ordered: cents(ordered), subtotal: cents(total), savings: cents(0) },
  ...{ total: cents(total), gst: includeGST ? gstIncluded(cents(total)) : (0 as Cents) },
})

test('the minimum is of what was ordered: fish that weighs less, or that the shop leaves out, takes no coupon away', () => {
  const coupon = { percent: 10, amount: null, minimum: 5_000, products: null }
  assert.deepEqual(
    withCoupon([sold('a', 4_000, 5_000)], coupon).map(({ total }) => total),
    [3_600],
  )
  assert.deepEqual(withCoupon([sold('a', 6_000, 4_999)], coupon), [sold('a', 6_000, 4_999)])
  assert.match(couponIdle(coupon), /^takes nothing off: it needs \$50\.00 of goods$/)
})

test('an amount is never more than the lines that it is for', () => {
  const coupon = { percent: null, amount: 2_000, minimum: 0, products: ['a'] }
  const [a, b] = withCoupon([sold('a', 1_100, 1_100, true), sold('b', 900)], coupon)
  assert.deepEqual([a?.total, a?.gst, a?.coupon, b?.total, b?.coupon], [0, 0, 1_100, 900, undefined])
})

const pathOf = (schema: typeof CouponInput | typeof CouponCheck, input: object): string => {
  const { error } = schema.safeParse(input)
  return error?.issues[0]?.path.join('.') ?? 'taken'
}

test('what is wrong with a coupon is refused by its field', () => {
  const ok = { code: 'Fish-10', percent: 10 }
  assert.equal(CouponInput.parse({ ...ok, code: ' fish-10 ' }).code, 'FISH-10')
  for (const [more, path] of [
    [{}, 'taken'],
    [{ code: 'ab' }, 'code'],
    [{ code: 'A'.repeat(33) }, 'code'],
    [{ code: 'A'.repeat(100_000) }, 'code'],
    [{ code: 'Fisch für' }, 'code'],
    [{ code: '-A-' }, 'code'],
    [{ code: 'ＦＩＳＨ' }, 'code'],
    [{ percent: 0 }, 'percent'],
    [{ percent: 101 }, 'percent'],
    [{ percent: 9.5 }, 'percent'],
    [{ amount: 500 }, 'percent'],
    [{ percent: undefined }, 'percent'],
    [{ percent: null, amount: 0 }, 'amount'],
    [{ percent: null, amount: 0.5 }, 'amount'],
    [{ percent: null, amount: 10_000_001 }, 'amount'],
    [{ products: [] }, 'products'],
    [{ products: ['a', 'a'] }, 'products'],
    [{ products: ['a'], categories: ['c'] }, 'categories'],
    [{ minimum: -1 }, 'minimum'],
    [{ uses: 0 }, 'uses'],
    [{ usesEach: 1_000_001 }, 'usesEach'],
    [{ from: '2026-12-01' }, 'from'],
    [{ from: '2026-12-02T00:00:00+11:00', until: '2026-12-01T13:00:00Z' }, 'until'],
    [{ firstOrder: 'yes' }, 'firstOrder'],
    [{ more: 1 }, ''],
  ] as const)
    assert.equal(pathOf(CouponInput, { ...ok, ...more }), path, JSON.stringify(more).slice(0, 80))
  const lines = [{ product_id: 'a', quantity: 1 }]
  assert.equal(pathOf(CouponCheck, { code: '!', lines }), 'code')
  assert.equal(pathOf(CouponCheck, { code: 'ABC', lines: [] }), 'lines')
})
