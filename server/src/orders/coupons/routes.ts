import { CheckedCoupon, ManagedCoupon } from '@befaqt/domain/api/coupon-api'
import * as asked from '@befaqt/domain/api/endpoints/coupons'
import * as managed from '@befaqt/domain/api/endpoints/managed-coupons'
import { CouponCheck, CouponInput, CouponPatch } from '@befaqt/domain/coupon-input'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { clientNetwork } from '#server/http/client-network.ts'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import type { OrderDeps } from '../order-deps.ts'
import { checkCoupon } from './check-coupon.ts'
import { createCoupon, deleteCoupon, listCoupons, updateCoupon } from './manage-coupons.ts'

/** They are about orders of all boxes. */
const access = { right: 'shop:write', allBoxes: true } as const
const write = { access, limits: 'manage-write' } as const

export const couponOperations = defineRoutes(managed, {
  listCoupons: {
    access,
    limits: 'manage-read',
    summary: 'All coupons with how often they are used, the newest first.',
    responses: { 200: z.array(ManagedCoupon) },
  },
  createCoupon: {
    ...write,
    summary: 'Create a coupon. Its code is read in capitals, and there is none other with it.',
    body: CouponInput,
    responses: { 201: ManagedCoupon },
    errors: [409],
  },
  updateCoupon: {
    ...write,
    summary: 'End a coupon, or let it be used again. Orders that have it keep it.',
    body: CouponPatch,
    responses: { 200: ManagedCoupon },
  },
  deleteCoupon: {
    ...write,
    summary: 'Delete a coupon that no order has.',
    responses: { 204: null },
  },
})

const checking = defineRoutes(asked, {
  checkCoupon: {
    access: 'public',
    limits: 'order',
    cache: 'no-store',
    summary: 'What a code takes off these lines. 409 coupon.refused: nothing, and why. Nothing is taken.',
    body: CouponCheck,
    responses: { 200: CheckedCoupon },
    errors: [401, 409],
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const couponReads = {
  listCoupons: ({ db }) => listCoupons(db),
} satisfies Reads<typeof couponOperations, Pick<OrderDeps, 'db'>>

/** Coupons, for managers, and what one takes off, for shoppers. */
export function couponRoutes(app: FastifyInstance, deps: OrderDeps): void {
  registerReads(app, couponOperations, couponReads, deps)
  registerRoute(app, couponOperations.createCoupon, ({ principal, body }) =>
    createCoupon(deps, principal, body),
  )
  registerRoute(app, couponOperations.updateCoupon, ({ principal, params, body, request }) =>
    updateCoupon(deps, principal, params.id, { ...body, version: expectedVersion(request, body.version) }),
  )
  registerRoute(app, couponOperations.deleteCoupon, async ({ principal, params, request }) => {
    await deleteCoupon(deps, principal, params.id, expectedVersion(request, undefined))
    return undefined
  })
  registerRoute(app, checking.checkCoupon, ({ principal, body, request }) =>
    checkCoupon(deps, principal, body, clientNetwork(request.ip)),
  )
}
