import type { CouponRefusal } from '@befaqt/domain/api/coupon-api'
import { ShopError } from '@befaqt/domain/errors'
import { momentText } from '@befaqt/domain/moment-text'
import { type Cents, cents, formatDollars } from '@befaqt/domain/money'
import type { coupons } from '#server/db/schema/coupons.ts'
import { timeText } from '#server/db/stored-values.ts'

export type CouponRow = typeof coupons.$inferSelect

const refused = (reason: CouponRefusal, message: string): ShopError =>
  new ShopError('coupon.refused', message, { details: { reason }, fields: [{ path: 'coupon', message }] })

/** Why a coupon takes nothing off, as its shopper is told. */
export const couponRefused = {
  unknown: () => refused('unknown', 'There is no coupon with this code.'),
  early: ({ startsAt }: CouponRow, timeZone: string) =>
    refused('early', `This coupon can be used from ${momentText(timeText(startsAt), timeZone)}.`),
  over: () => refused('over', 'This coupon has ended.'),
  usedUp: () => refused('used up', 'This coupon has been used as often as it can be.'),
  yours: ({ usesEach }: CouponRow) =>
    refused(
      'yours',
      usesEach === 1 ? 'You have used this coupon.' : `You have used this coupon ${usesEach} times.`,
    ),
  first: () => refused('first', 'This coupon is only for a first order.'),
  goods: () => refused('goods', 'This coupon is for other goods than you order.'),
  minimum: ({ minimumCents }: CouponRow, isLimited: boolean, ordered: Cents) =>
    refused(
      'minimum',
      `This coupon needs ${formatDollars(cents(minimumCents))} of ${isLimited ? 'what it is for' : 'goods'}, and you order ${formatDollars(ordered)}.`,
    ),
} as const
