import { Readable } from 'node:stream'
import { paged } from '@befaqt/domain/api/box-api'
import { BoxBalance } from '@befaqt/domain/api/box-trade-api'
import * as endpoints from '@befaqt/domain/api/endpoints/managed-orders'
import {
  BoxOrder,
  ManagedOrder,
  ManagedOrderRow,
  ManagedSlot,
  OrderDay,
  OrderView,
  SlotSheet,
} from '@befaqt/domain/api/order-api'
import { WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { marketDate } from '@befaqt/domain/market-time'
import {
  BoxLoss,
  LeftOutLine,
  OrderMove,
  OrderSlot,
  PackedLines,
  SlotInput,
  SlotPatch,
} from '@befaqt/domain/order'
import { fulfilmentKinds, orderStates } from '@befaqt/domain/order-states'
import { CalendarDay } from '@befaqt/domain/slot-rules'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/index.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { ListQuery, PLACE } from '#server/http/list-query.ts'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { addLoss, boxBalance, boxOrders } from '#server/orders/box-sales.ts'
import type { SlotWriter } from '#server/orders/next-slots.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { managedSlots } from '#server/orders/slots.ts'
import { listWaiting } from '#server/orders/waiting/waiting-order.ts'
import { moveOrder } from '../move-order.ts'
import { changeSlot, leaveOut } from './change-order.ts'
import { searchOrders } from './list-orders.ts'
import { createSlot, deleteSlot, updateSlot } from './manage-slots.ts'
import { managedOrder, orderDay, slotSheet } from './managed-order.ts'
import { exportOrders } from './order-csv.ts'
import { packOrder } from './pack-order.ts'

const read = { access: { right: 'order:read' }, limits: 'manage-read' } as const
const write = { access: { right: 'order:write' }, limits: 'manage-write' } as const
/** Slots and sums of a day are about all orders, and what is left out about the buyer's whole one. */
const wide = { right: 'order:write', allBoxes: true } as const
const wideRead = { right: 'order:read', allBoxes: true } as const

const SlotQuery = ListQuery.pick(PLACE).extend({
  kind: z.enum(fulfilmentKinds).optional(),
  when: z.enum(['coming', 'past']).optional().describe('coming: those that have not ended'),
})
const OrderQuery = ListQuery.pick({ ...PLACE, q: true }).extend({
  status: z
    .enum(['open', 'decide', ...orderStates])
    .optional()
    .describe('open: neither completed nor cancelled; decide: of these, those that wait for a decision'),
  slot: z.uuid().optional().describe('slot id'),
  day: CalendarDay.optional().describe('of the slot, in market time'),
  sort: z.enum(['slot']).optional().describe('slot: the next slot first'),
})

export const managedOrderOperations = defineRoutes(endpoints, {
  listOrders: {
    ...read,
    summary: 'All orders, the newest first; searched by number, name, email and phone.',
    query: OrderQuery,
    responses: { 200: paged(ManagedOrderRow) },
  },
  listWaitingOrders: {
    ...read,
    access: wideRead,
    summary: 'Large first orders that wait to be confirmed, and those that ended so in the last days.',
    query: ListQuery.pick(PLACE),
    responses: { 200: paged(WaitingOrder) },
  },
  exportOrders: {
    access: read.access,
    limits: 'file',
    summary: 'Orders as CSV, a row for each line.',
    query: OrderQuery.pick({ q: true, status: true, slot: true, day: true }),
    responses: { 200: 'text/csv' },
  },
  readOrderDay: {
    ...read,
    access: wideRead,
    summary: 'Orders, weight and revenue of a day, and what its boxes are short of.',
    query: OrderQuery.pick({ day: true }),
    responses: { 200: OrderDay },
  },
  readManagedOrder: {
    ...read,
    summary: 'An order with who did what, and the boxes that it may be packed from.',
    responses: { 200: ManagedOrder },
  },
  readSlotSheet: {
    ...read,
    summary: 'A slot with its orders, for picking, packing and labels.',
    responses: { 200: SlotSheet },
  },
  moveOrder: {
    ...write,
    summary: 'Move an order to another state. CANCELLED gives stock and slot back.',
    body: OrderMove,
    responses: { 200: OrderView },
  },
  packOrder: {
    ...write,
    summary: 'Set the weights of lines and the boxes they were packed from.',
    body: PackedLines,
    responses: { 200: OrderView },
  },
  leaveOut: {
    ...write,
    access: wide,
    summary: 'Leave a line out of an order that is not packed yet. The buyer gets an email with the reason.',
    body: LeftOutLine,
    responses: { 200: OrderView },
  },
  listAllSlots: {
    ...read,
    access: wideRead,
    summary: 'All slots with what they can still take, the latest first; those to come the next one first.',
    query: SlotQuery,
    responses: { 200: paged(ManagedSlot) },
  },
  createSlot: {
    ...write,
    access: wide,
    summary: 'Make a slot for pick-up or delivery.',
    body: SlotInput,
    responses: { 201: ManagedSlot },
  },
  updateSlot: {
    ...write,
    access: wide,
    summary: 'Change capacity or cut-off of a slot, or close it.',
    body: SlotPatch,
    responses: { 200: ManagedSlot },
  },
  deleteSlot: {
    ...write,
    access: wide,
    summary: 'Delete a slot without orders.',
    responses: { 204: null },
  },
  changeOrderSlot: {
    ...write,
    access: wide,
    summary: 'Move an order to another slot. The new one is taken before the old one is free.',
    body: OrderSlot,
    responses: { 200: OrderView },
  },
  listBoxOrders: {
    ...read,
    summary: 'Who bought from a box.',
    responses: { 200: z.array(BoxOrder) },
  },
  readBoxBalance: {
    ...read,
    summary: 'What is left of each product in a box: what went in without what was sold and lost.',
    responses: { 200: z.array(BoxBalance) },
  },
  addBoxLoss: {
    ...write,
    summary: 'Record what was lost of a product in a box, with the reason.',
    body: BoxLoss,
    responses: { 201: z.strictObject({ seq: z.int() }) },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const managedOrderReads = {
  listOrders: (deps, { principal, query, signal }) => searchOrders(deps, principal, query, signal),
  listWaitingOrders: ({ db }, { query }) => listWaiting(db, query),
  readOrderDay: (deps, { principal, query }) => orderDay(deps, principal, query.day),
  readManagedOrder: ({ db }, { principal, params }) => managedOrder(db, principal, params.id),
  readSlotSheet: ({ db }, { principal, params }) => slotSheet(db, principal, params.id),
  listAllSlots: ({ db }, { query }) => managedSlots(db, query),
  listBoxOrders: ({ db }, { principal, params }) => boxOrders(db, boxIDOf(params, principal), principal),
  readBoxBalance: ({ db }, { principal, params }) => boxBalance(db, boxIDOf(params, principal)),
} satisfies Reads<
  typeof managedOrderOperations,
  Pick<OrderDeps, 'db' | 'now' | 'siteFile'> & { search: Search }
>

/** Managing orders and slots, and what was sold of a box. */
export function orderManageRoutes(
  app: FastifyInstance,
  deps: OrderDeps & SlotWriter & { search: Search },
): void {
  registerReads(app, managedOrderOperations, managedOrderReads, deps)
  registerRoute(app, managedOrderOperations.exportOrders, ({ principal, query, reply }) => {
    const day = marketDate(deps.now().getTime(), deps.siteFile.market.timeZone)
    return reply
      .header('content-disposition', `attachment; filename="orders-${day}.csv"`)
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(Readable.from(exportOrders(deps, principal, query)))
  })
  registerRoute(app, managedOrderOperations.moveOrder, ({ principal, params, body, request }) => {
    const version = expectedVersion(request, body.version)
    return moveOrder(deps, principal, params.id, { ...body, version })
  })
  registerRoute(app, managedOrderOperations.packOrder, ({ principal, params, body, request }) =>
    packOrder(deps, principal, params.id, body, expectedVersion(request)),
  )
  registerRoute(app, managedOrderOperations.leaveOut, ({ principal, params, body, request }) =>
    leaveOut(deps, principal, params.id, body, expectedVersion(request)),
  )
  registerRoute(app, managedOrderOperations.createSlot, ({ principal, body }) =>
    createSlot(deps, principal, body, deps.siteFile.market.timeZone),
  )
  registerRoute(app, managedOrderOperations.updateSlot, ({ principal, params, body, request }) =>
    updateSlot(deps, principal, params.id, { ...body, version: expectedVersion(request, body.version) }),
  )
  registerRoute(app, managedOrderOperations.deleteSlot, async ({ principal, params, request }) => {
    await deleteSlot(deps, principal, params.id, expectedVersion(request))
    return undefined
  })
  registerRoute(app, managedOrderOperations.changeOrderSlot, ({ principal, params, body, request }) =>
    changeSlot(deps, principal, params.id, { ...body, version: expectedVersion(request, body.version) }),
  )
  registerRoute(app, managedOrderOperations.addBoxLoss, async ({ principal, params, body }) => ({
    seq: await addLoss(deps, principal, boxIDOf(params, principal), body),
  }))
}
