import {
  listAllSlots,
  listComplaints,
  listOrderComplaints,
  listOrders,
  listWaitingOrders,
  readManagedOrder,
  readOrderDay,
  readSlotPlan,
  readSlotSheet,
} from '@befaqt/domain/api/endpoints/managed-orders'
import type { SlotSheet } from '@befaqt/domain/api/order-api'
import { placeIn } from '@befaqt/domain/list-place'
import { fulfilmentKinds } from '@befaqt/domain/order-states'
import type { OrderFound } from '#web/features/manage/order/order-detail.tsx'
import type { OrdersFound } from '#web/features/manage/order/order-screen.tsx'
import type { StationFound } from '#web/features/manage/order/packing/pack-station.tsx'
import { asksForWaiting, complaintQuery, orderQuery } from '#web/features/manage/read.ts'
import type { SlotsFound } from '#web/features/manage/slot/slot-screen.tsx'
import { reads, withoutGone } from './reads.ts'

/** Slots of about a week. */
const SLOTS = 100

const orders = reads(async ({ call, params }): Promise<OrdersFound> => {
  const { after: _after, before: _before, ...filter } = orderQuery(params)
  const place = placeIn(params)
  const isWaiting = asksForWaiting(params)
  const asked = complaintQuery(params)
  const [orders, waiting, complaints, summary, slots] = await Promise.all([
    call(listOrders, { query: { ...filter, ...(!isWaiting && !asked && place), sort: 'slot' } }),
    call(listWaitingOrders, { query: isWaiting ? place : {} }),
    asked && call(listComplaints, { query: asked }),
    call(readOrderDay, { query: filter.day ? { day: filter.day } : {} }),
    call(listAllSlots, { query: { when: 'coming', size: SLOTS } }),
  ])
  const hasSome = (id: string): boolean => orders.total > 0 || slots.rows.some(({ _id }) => _id === id)
  withoutGone('/manage/order', params, 'slot', hasSome)
  return { orders, waiting, complaints, summary, slots: slots.rows }
})

const order = reads(async ({ call, params, id }): Promise<OrderFound> => {
  const of = { params: { id } }
  const [order, complaints, queue] = await Promise.all([
    call(readManagedOrder, of),
    call(listOrderComplaints, of),
    call(listOrders, { query: { ...orderQuery(params), sort: 'slot' } }),
  ])
  return { order, complaints, queue }
})

const slots = reads(async ({ call, params }): Promise<SlotsFound> => {
  const kind = fulfilmentKinds.find((one) => one === params.get('kind'))
  const when = params.get('when') === 'past' ? 'past' : 'coming'
  const query = { ...placeIn(params), when, ...(kind && { kind }) } as const
  const [slots, plan] = await Promise.all([call(listAllSlots, { query }), call(readSlotPlan)])
  return { slots, plan }
})

const slot = reads(({ call, id }): Promise<SlotSheet> => call(readSlotSheet, { params: { id } }))

/** The order that is asked for, if it is still one of the slot, else the first that is to be packed. */
const packing = reads(async ({ call, params, id }): Promise<StationFound> => {
  const sheet = await call(readSlotSheet, { params: { id } })
  const asked = sheet.orders.find(({ _id }) => _id === params.get('order'))
  const one = asked ?? sheet.orders.find(({ status }) => status === 'PLACED')
  const order = one ? await call(readManagedOrder, { params: { id: one._id } }) : null
  return { sheet, order }
})

/** What the screens of orders and slots read. */
export const orderData = {
  'manage.order': orders,
  'manage.order.$id': order,
  'manage.slot': slots,
  'manage.slot.$id': slot,
  'manage.slot.$id.pack': packing,
}
