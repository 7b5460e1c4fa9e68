import { z } from 'zod'
import { CouponCode } from './coupon-code.ts'
import { line } from './fields.ts'
import { MAX_CHOSEN_PRODUCTS, MAX_COUPON_USES, MAX_DOLLARS } from './limits.ts'
import { forAccount, Moment, OrderedLines } from './order.ts'

const whole = (label: string, min: number, max: number) =>
  z
    .int(`${label} must be a whole number`)
    .min(min, `${label} must be at least ${min}`)
    .max(max, `${label} must be at most ${max}`)

const amountOf = (label: string, min: number) =>
  z
    .int(`${label} must be whole cents`)
    .min(min, `${label} must be at least ${min} cents`)
    .max(MAX_DOLLARS * 100, `${label} must be at most $${MAX_DOLLARS}`)

const some = (label: string) =>
  z
    .array(line(label, 64), `${label} must be a list`)
    .min(1, `name a ${label}, or leave it out for all`)
    .max(MAX_CHOSEN_PRODUCTS, `at most ${MAX_CHOSEN_PRODUCTS}`)
    .refine((ids) => new Set(ids).size === ids.length, `a ${label} is listed twice`)
    .nullish()

const uses = (label: string) => whole(label, 1, MAX_COUPON_USES).nullish()

/**
 * A new coupon: percent or amount in cents off what it is for, which is what is named of products or of categories, else
 * the whole order, without its delivery. `uses`, `usesEach`: how often, in all and by one customer; left out: as often as
 * one likes.
 */
export const CouponInput = z
  .strictObject({
    code: CouponCode,
    percent: whole('percent', 1, 100).nullish(),
    amount: amountOf('amount', 1).nullish(),
    products: some('product'),
    categories: some('category'),
    minimum: amountOf('minimum', 0).default(0),
    firstOrder: z.boolean('firstOrder must be true or false').default(false),
    from: Moment.nullish(),
    until: Moment.nullish(),
    uses: uses('uses'),
    usesEach: uses('usesEach'),
  })
  .refine(({ percent, amount }) => (percent == null) !== (amount == null), {
    path: ['percent'],
    error: 'say percent or amount: one of them',
  })
  .refine(({ products, categories }) => products == null || categories == null, {
    path: ['categories'],
    error: 'name products or categories, not both',
  })
  .refine(({ from, until }) => from == null || until == null || Date.parse(from) < Date.parse(until), {
    path: ['until'],
    error: 'must be after its beginning',
  })
export type CouponInput = z.infer<typeof CouponInput>

/** What may change of a coupon: that it has ended, and that it has not. */
export const CouponPatch = z.strictObject({
  ended: z.boolean('ended must be true or false'),
  version: z.int('version must be a whole number').optional(),
})
export type CouponPatch = z.infer<typeof CouponPatch>

/** What is asked of a code before an order. */
export const CouponCheck = z.strictObject({ code: CouponCode, lines: OrderedLines, account: forAccount })
export type CouponCheck = z.infer<typeof CouponCheck>
