import { z } from 'zod'
import { schemaNames } from '../fields.ts'

/** RFC 3339. */
const moment = z.string().nullable()

/** What a coupon takes off; amounts in whole cents. */
const terms = {
  code: z.string(),
  /** Either this or `amount`. */
  percent: z.int().nullable(),
  amount: z.int().nullable(),
  /** The least that is ordered of what it is for. */
  minimum: z.int(),
}

/** A coupon of an order, as it was when it was used. */
export const UsedCouponView = z
  .strictObject({
    ...terms,
    /** Products of the order that it is for; null: all. */
    products: z.array(z.string()).nullable(),
  })
  .register(schemaNames, { id: 'UsedCoupon' })
export type UsedCouponView = z.infer<typeof UsedCouponView>

/** What a code takes off these lines at today's prices, and what they come to then. */
export const CheckedCoupon = UsedCouponView.extend({ off: z.int(), total: z.int(), gst: z.int() }).register(
  schemaNames,
  {
    id: 'CheckedCoupon',
  },
)
export type CheckedCoupon = z.infer<typeof CheckedCoupon>

/** Why a coupon takes nothing off. */
export const couponRefusals = [
  'unknown',
  'early',
  'over',
  'used up',
  'yours',
  'first',
  'goods',
  'minimum',
] as const
export type CouponRefusal = (typeof couponRefusals)[number]

const named = z.array(z.strictObject({ _id: z.string(), title: z.string().nullable() })).nullable()

/** A coupon as managers see it. */
export const ManagedCoupon = z
  .strictObject({
    _id: z.string(),
    ...terms,
    /** What it is for; null: not limited by these. `title` is null where it is gone. */
    products: named,
    categories: named,
    firstOrder: z.boolean(),
    from: moment,
    until: moment,
    /** How often it may be used, in all and by one customer; null: as often as one likes. */
    uses: z.int().nullable(),
    usesEach: z.int().nullable(),
    /** Orders that have it, without cancelled ones, with those that wait to be confirmed. */
    used: z.int(),
    /** Cents that it took off those that are placed. */
    given: z.int(),
    /** When somebody ended it; null: nobody has. */
    endedAt: moment,
    state: z.enum(['open', 'early', 'over', 'used up']),
    createdAt: moment,
    version: z.int(),
  })
  .register(schemaNames, { id: 'ManagedCoupon' })
export type ManagedCoupon = z.infer<typeof ManagedCoupon>
