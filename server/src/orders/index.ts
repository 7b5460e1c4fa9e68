// What other features use of orders, and all that they may import of it.

export { boxesOfLines } from './complaints/list-complaints.ts'
export { newestFound } from './managing/found-orders.ts'
export { daySums } from './managing/managed-order.ts'
export { guestOrdersOf, mergeGuestOrders } from './merge-guest-orders.ts'
export type { NextSlots } from './next-slots.ts'
export { chargedLines, totalsOfOrder } from './order-totals.ts'
export { type OrderReadDeps, ownOrders } from './read-orders.ts'
export { boxSaleView, setBoxSaleIn } from './recalling/off-sale.ts'
export { linesToDecide } from './recalling/read-recall.ts'
