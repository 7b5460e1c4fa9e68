import { OrderBox, paged } from '@befaqt/domain/api/box-api'
import { Delivery, HoldView } from '@befaqt/domain/api/checkout-api'
import * as used from '@befaqt/domain/api/endpoints/order-page'
import * as read from '@befaqt/domain/api/endpoints/orders'
import { NextSlot, OrderRow, OrderView, SlotView } from '@befaqt/domain/api/order-api'
import { OrderAnswer, PlacedAnswer, WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import {
  AcceptedTotal,
  AmendOrder,
  ConfirmOrder,
  HoldId,
  HoldInput,
  OrderMove,
  PlaceOrder,
} from '@befaqt/domain/order'
import { fulfilmentKinds } from '@befaqt/domain/order-states'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { clientNetwork } from '#server/http/client-network.ts'
import { ListQuery, PLACE } from '#server/http/list-query.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import type { SiteSettings } from '#server/site/index.ts'
import { amendOrder } from './amending/amend-order.ts'
import { type OrderBoxDeps, readOrderBoxes } from './boxes-at-sale.ts'
import { holdStock, userIdOf } from './hold-stock.ts'
import { repeatableRequest } from './idempotency.ts'
import type { NextSlots } from './next-slots.ts'
import { removeHolds } from './open-holds.ts'
import { LinkKey } from './order-access.ts'
import type { OrderDeps } from './order-deps.ts'
import { placeOrder } from './place-order.ts'
import { type OrderReadDeps, ownOrders, readOrder } from './read-orders.ts'
import { deliveryTo, openSlots } from './slots.ts'
import { acceptTotal, confirmOrder } from './waiting/confirm-order.ts'
import { cancelOrder, sendConfirmation } from './waiting/end-waiting.ts'
import { ownWaiting } from './waiting/waiting-order.ts'

const call = { access: 'public', limits: 'order', cache: 'no-store' } as const

export const orderOperations = defineRoutes(
  { ...read, ...used },
  {
    placeOrder: {
      ...call,
      summary:
        'Place an order, once for each header Idempotency-Key. A large first one has status WAITING: nothing is taken until it is confirmed. 409: stock, price or slot changed; nothing is taken.',
      body: PlaceOrder,
      responses: { 201: PlacedAnswer },
      errors: [401, 422],
    },
    holdStock: {
      ...call,
      summary:
        'Hold stock, and a slot, for an open checkout. It replaces the shopper’s hold before. A slot takes a contact.',
      body: HoldInput,
      responses: { 201: HoldView },
      errors: [401],
    },
    releaseHold: {
      ...call,
      summary: 'End the hold of a checkout.',
      responses: { 204: null },
    },
    listOwnOrders: {
      summary: 'Own orders, the newest first.',
      access: 'user',
      limits: 'account',
      query: ListQuery.pick(PLACE),
      responses: { 200: paged(OrderRow) },
    },
    listOwnWaiting: {
      summary: 'Own large first orders that wait to be confirmed, the newest first.',
      access: 'user',
      limits: 'account',
      responses: { 200: z.array(WaitingOrder) },
    },
    readOrder: {
      ...call,
      summary:
        'An order: one’s own, any for ADMIN or a key with order:write, or by the key of its signed link.',
      query: LinkKey,
      responses: { 200: OrderAnswer },
    },
    confirmOrder: {
      ...call,
      summary:
        'Confirm an order by the link of its email, or for the shop. A waiting one takes stock and slot now. 409: not all is left; lines and slot name what is taken instead.',
      query: LinkKey,
      body: ConfirmOrder,
      responses: { 200: OrderView },
    },
    sendConfirmation: {
      ...call,
      summary: 'Send the email with the link that confirms an order once more.',
      query: LinkKey,
      responses: { 204: null },
    },
    readOrderBoxes: {
      ...call,
      summary:
        'The boxes of an order as they were when it was packed, or those that cards show of what is not packed yet, for whoever may read the order.',
      query: LinkKey,
      responses: { 200: z.array(OrderBox) },
    },
    cancelOrder: {
      ...call,
      summary: 'Cancel one’s own order before it is packed, or drop one that waits.',
      query: LinkKey,
      body: OrderMove.pick({ reason: true }).prefault({}),
      responses: { 200: OrderAnswer },
    },
    acceptTotal: {
      ...call,
      summary: 'Accept the total of one’s own order after it was weighed.',
      query: LinkKey,
      body: AcceptedTotal,
      responses: { 200: OrderView },
    },
    amendOrder: {
      ...call,
      summary:
        'Change a placed order before the cut-off of its slot and before it is packed, once for each header Idempotency-Key. What is not named stays; a line with quantity 0 is taken out, `added` are products that are not in it, and `kind` is pick-up instead of delivery or the reverse, with the time and address that it needs. 409: it can’t be changed any more, another version is there, or stock, price or slot changed; nothing is changed.',
      query: LinkKey,
      body: AmendOrder,
      responses: { 200: OrderView },
      errors: [422],
    },
    listSlots: {
      summary: 'Times for pick-up and delivery that still take orders.',
      access: 'public',
      limits: 'read',
      cache: 'no-store',
      query: z.object({
        kind: z.enum(fulfilmentKinds).optional(),
        postcode: z.string().max(10).optional().describe('where to, for delivery'),
      }),
      responses: { 200: z.array(SlotView) },
    },
    readDelivery: {
      summary:
        'Whether deliveries go to a postcode: the next time that takes orders, and what it costs; null: nothing.',
      access: 'public',
      limits: 'read',
      cache: 'no-store',
      skipAuthentication: true,
      responses: { 200: Delivery },
    },
    listNextSlots: {
      summary: 'The next times of each kind that still take orders, the earliest first: at most five.',
      access: 'public',
      limits: 'read',
      cache: 'no-store',
      skipAuthentication: true,
      responses: { 200: z.array(NextSlot) },
    },
  },
)

/** When and where orders are brought to. */
type Offered = { nextSlots: NextSlots; site: Pick<SiteSettings, 'current'> }

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const orderReads = {
  listOwnOrders: ({ db }, { principal, query }) => ownOrders(db, requireUser(principal).userId, query),
  listOwnWaiting: ({ db }, { principal }) => ownWaiting(db, requireUser(principal).userId),
  readOrder: (deps, { principal, params, query }) => readOrder(deps, principal, params.id, query.key),
  readOrderBoxes: (deps, { principal, params, query }) =>
    readOrderBoxes(deps, principal, params.id, query.key),
  listSlots: ({ db }, { query }) => openSlots(db, query),
  readDelivery: (deps, { params }) => deliveryTo(deps, params.postcode),
  listNextSlots: ({ nextSlots, now }) => nextSlots.open(now()),
} satisfies Reads<typeof orderOperations, OrderReadDeps & OrderBoxDeps & Offered>

/** Ordering, by shoppers and guests. */
export function orderRoutes(app: FastifyInstance, deps: OrderDeps & OrderBoxDeps & Offered): void {
  registerReads(app, orderOperations, orderReads, deps)
  registerRoute(app, orderOperations.placeOrder, async ({ principal, body, request, reply }) => {
    const from = { request: repeatableRequest(request), network: clientNetwork(request.ip) }
    const { placed, replayed } = await placeOrder(deps, principal, body, from)
    if (replayed) reply.header('idempotent-replayed', 'true')
    return placed
  })
  registerRoute(app, orderOperations.holdStock, ({ principal, body, request }) =>
    holdStock(deps, principal, body, clientNetwork(request.ip)),
  )
  registerRoute(app, orderOperations.releaseHold, async ({ principal, params }) => {
    const hold = HoldId.safeParse(params.id).data // what is none is a hold that has ended
    await removeHolds(deps.db, [{ userId: userIdOf(principal), hold }])
    return undefined
  })
  registerRoute(app, orderOperations.confirmOrder, ({ principal, params, query, body }) =>
    confirmOrder(deps, principal, params.id, body, query.key),
  )
  registerRoute(app, orderOperations.sendConfirmation, async ({ principal, params, query, request }) => {
    await sendConfirmation(deps, principal, params.id, query.key, clientNetwork(request.ip))
    return undefined
  })
  registerRoute(app, orderOperations.cancelOrder, ({ principal, params, query, body }) =>
    cancelOrder(deps, principal, params.id, body.reason, query.key),
  )
  registerRoute(
    app,
    orderOperations.amendOrder,
    async ({ principal, params, query, body, request, reply }) => {
      const from = {
        request: repeatableRequest(request),
        network: clientNetwork(request.ip),
        key: query.key,
      }
      const { view, replayed } = await amendOrder(deps, principal, params.id, body, from)
      if (replayed) reply.header('idempotent-replayed', 'true')
      return view
    },
  )
  registerRoute(app, orderOperations.acceptTotal, ({ principal, params, query, body }) =>
    acceptTotal(deps, principal, params.id, { total: body.total, key: query.key }),
  )
}
