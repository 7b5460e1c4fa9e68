import type { z } from 'zod'
import type { CouponInput, CouponPatch } from '../../coupon-input.ts'
import type { ManagedCoupon } from '../coupon-api.ts'
import { endpoint, types } from '../endpoint.ts'

export const listCoupons = endpoint('GET', '/api/coupon', types<{ response: ManagedCoupon[] }>)
export const createCoupon = endpoint(
  'POST',
  '/api/coupon',
  types<{ body: z.input<typeof CouponInput>; response: ManagedCoupon }>,
)
export const updateCoupon = endpoint(
  'PATCH',
  '/api/coupon/:id',
  types<{ body: z.input<typeof CouponPatch>; response: ManagedCoupon }>,
)
export const deleteCoupon = endpoint('DELETE', '/api/coupon/:id')
