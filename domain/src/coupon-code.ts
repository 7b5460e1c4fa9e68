import { z } from 'zod'
import { MAX_COUPON_CODE, MIN_COUPON_CODE } from './limits.ts'

const SHAPE = /^[A-Z0-9](?:[A-Z0-9-]*[A-Z0-9])?$/

/**
 * The code of a coupon, in capitals however it was typed: letters without accents, digits and hyphens, so that it is the
 * same text in every collation.
 */
export const CouponCode = z
  .string('coupon must be text')
  .max(200, `a code has at most ${MAX_COUPON_CODE} characters`)
  .transform((typed) => typed.trim().toUpperCase())
  .pipe(
    z
      .string()
      .min(MIN_COUPON_CODE, `a code has at least ${MIN_COUPON_CODE} characters`)
      .max(MAX_COUPON_CODE, `a code has at most ${MAX_COUPON_CODE} characters`)
      .regex(SHAPE, 'a code has letters from A to Z, digits, and hyphens between them'),
  )
