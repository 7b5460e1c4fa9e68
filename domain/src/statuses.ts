import type { OrderAnswer, WaitingOrder } from './api/waiting-order-api.ts'

/** Lifecycle of users, categories and products. Source: spec §3. */
export const statuses = ['ACTIVE', 'INACTIVE', 'DISABLED'] as const
export type Status = (typeof statuses)[number]

/** What can be done to fish that is bought whole (`preparation.ts`). Its words are needed where a cart is read. */
export const preparedKinds = ['gutted', 'skin-on', 'skin-off'] as const
export type PreparedKind = (typeof preparedKinds)[number]

/* The states of a waiting order. Free of the schema library, so that pages may load it early. */

/**
 * WAITING: for a click in its email, or for its payment by card. LAPSED: neither came in time. DROPPED: by its buyer or
 * the shop, or what was paid for was not left.
 */
export const waitingStates = ['WAITING', 'LAPSED', 'DROPPED'] as const
export type WaitingState = (typeof waitingStates)[number]

/** Does it wait, or has it ended without becoming an order? Then it has no number. */
export const isWaitingOrder = (order: OrderAnswer): order is WaitingOrder => !('number' in order)
