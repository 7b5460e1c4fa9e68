/* Complaints: what a buyer says is wrong with an order. Free of the schema library, so that pages may load it early. */
import { DAY_MS } from './durations.ts'
import { type ActionOf, life, type StateOf, statesOf } from './life.ts'
import type { OrderState } from './order-states.ts'

const buyer = ['buyer'] as const
const shop = ['shop'] as const

const sent = {
  to: 'OPEN',
  by: buyer,
  needs: ['packed', 'a buyer to answer', 'in time', 'none open', 'not too often'],
  effects: ['email: received', 'notice to the shop'],
} as const
const answer = {
  by: shop,
  needs: ['a buyer to answer', 'no more than it cost'],
  effects: ['email: answered'],
} as const
const refunded = { by: shop, needs: ['a promised refund'] } as const
const notRefunded = { by: shop, needs: ['a recorded refund'] } as const
const checked = { by: shop, needs: ['boxes to check'] } as const
const unchecked = { by: shop, needs: ['checked boxes'] } as const

/**
 * Every move of a complaint, and what may be done in a state. Boxes are checked whatever became of the complaint: who
 * withdraws it does not thereby say that the fish was good. What the shop recorded by mistake it takes back.
 */
export const complaintLife = life({
  new: { send: sent },
  OPEN: {
    answer: { to: 'ANSWERED', ...answer },
    close: { to: 'CLOSED', by: shop, needs: ['no buyer to answer'] },
    withdraw: { to: 'WITHDRAWN', by: buyer },
    'undo refund': { to: 'OPEN', ...notRefunded },
    'check boxes': { to: 'OPEN', ...checked },
    'undo check': { to: 'OPEN', ...unchecked },
  },
  ANSWERED: {
    answer: { to: 'ANSWERED', ...answer },
    close: { to: 'CLOSED', by: shop },
    reopen: sent,
    'record refund': { to: 'ANSWERED', ...refunded },
    'undo refund': { to: 'ANSWERED', ...notRefunded },
    'check boxes': { to: 'ANSWERED', ...checked },
    'undo check': { to: 'ANSWERED', ...unchecked },
  },
  CLOSED: {
    reopen: sent,
    'record refund': { to: 'CLOSED', ...refunded },
    'undo refund': { to: 'CLOSED', ...notRefunded },
    'check boxes': { to: 'CLOSED', ...checked },
    'undo check': { to: 'CLOSED', ...unchecked },
  },
  WITHDRAWN: {
    reopen: sent,
    'undo refund': { to: 'WITHDRAWN', ...notRefunded },
    'check boxes': { to: 'WITHDRAWN', ...checked },
    'undo check': { to: 'WITHDRAWN', ...unchecked },
  },
})

type ComplaintLife = typeof complaintLife
export type ComplaintState = StateOf<ComplaintLife>
export type ComplaintAct = ActionOf<ComplaintLife>
export const complaintStates = statesOf(complaintLife)
/** What is done with one that there is. */
export const complaintActs = [
  'answer',
  'close',
  'withdraw',
  'reopen',
  'record refund',
  'undo refund',
  'check boxes',
  'undo check',
] as const satisfies readonly ComplaintAct[]

/** What can be wrong, as buyers and staff read it. */
export const wrongs = {
  late: 'It came late, or not at all',
  missing: 'Something is missing',
  'wrong-item': 'Something is not what I ordered',
  damaged: 'It is damaged',
  'not-fresh': 'It is not fresh',
  ill: 'Somebody became ill from it',
  weight: 'The weight is wrong',
  other: 'Something else',
} as const
export type Wrong = keyof typeof wrongs
export const allWrongs = Object.keys(wrongs) as [Wrong, ...Wrong[]]

/** What may be wrong with a whole box, of which others eat, too: somebody in the shop looks at it at once. */
export const boxWrongs: readonly Wrong[] = ['not-fresh', 'ill']

/** What a buyer wishes. */
export const wishes = {
  refund: 'My money back',
  replacement: 'The same again, as it should be',
  tell: 'Nothing: I only want you to know',
} as const
export type Wish = keyof typeof wishes
export const allWishes = Object.keys(wishes) as [Wish, ...Wish[]]

/** How the shop gives money back. It does so itself: nothing here moves any. */
export const refundWays = { card: 'to the card', bank: 'by bank transfer', cash: 'in cash' } as const
export type RefundWay = keyof typeof refundWays
export const allRefundWays = Object.keys(refundWays) as [RefundWay, ...RefundWay[]]

/** Days after the end of its slot in which a buyer can complain of an order, and after an answer, to say that it is not enough. */
export const COMPLAINT_DAYS = 7
/** Photos of a complaint. */
export const MAX_PHOTOS = 4
/** Characters of what a buyer writes, or the shop answers. */
export const MAX_WORDS = 2_000
/** Complaints of one order, and times that a complaint is sent or opened again. */
export const MAX_COMPLAINTS = 5
export const MAX_ROUNDS = 5
/** Days for which photos stay after the last that happened to a complaint. */
export const PHOTO_DAYS = 180

/** The order is packed, on its way or with its buyer. */
export const complainable: readonly OrderState[] = ['PACKED', 'READY', 'SENT', 'COMPLETED']

/**
 * Until when a buyer can complain of an order, or open its complaint again, in milliseconds since 1970.
 * @param slotEndsAt, answeredAt the same; `answeredAt` null: it was not answered
 */
export const complaintEnds = (slotEndsAt: number, answeredAt: number | null = null): number =>
  Math.max(slotEndsAt, answeredAt ?? 0) + COMPLAINT_DAYS * DAY_MS
