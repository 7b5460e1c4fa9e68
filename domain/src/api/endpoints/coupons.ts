import type { z } from 'zod'
import type { CouponCheck } from '../../coupon-input.ts'
import type { CheckedCoupon } from '../coupon-api.ts'
import { endpoint, types } from '../endpoint.ts'

export const checkCoupon = endpoint(
  'POST',
  '/api/coupon/check',
  types<{ body: z.input<typeof CouponCheck>; response: CheckedCoupon }>,
)
