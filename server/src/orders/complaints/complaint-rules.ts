import {
  type ComplaintAct,
  complainable,
  complaintEnds,
  complaintLife,
  MAX_COMPLAINTS,
  MAX_ROUNDS,
} from '@befaqt/domain/complaint'
import { ShopError } from '@befaqt/domain/errors'
import { edgeOf, type Handlers, NEW, type NeedOf } from '@befaqt/domain/life'
import { momentText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import type { complaints } from '#server/db/schema/complaints.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { WholeOrder } from '../order-views.ts'

export type ComplaintRecord = typeof complaints.$inferSelect

/**
 * What is to be done with a complaint: `complaint` null for one that is to be sent. `all`: those of its order, with it.
 * `refund`: cents that are promised; undefined: nothing is said of money.
 */
export type Asked = {
  whole: WholeOrder
  all: readonly ComplaintRecord[]
  complaint: ComplaintRecord | null
  now: Date
  refund?: number | undefined
}

/** Until when a buyer can complain of an order, or open this complaint of it again. */
export const endOf = ({ slot }: WholeOrder, answeredAt: Date | null = null): Date =>
  new Date(complaintEnds(slot.endsAt.getTime(), answeredAt?.getTime()))

const isCancelled = ({ order }: WholeOrder): boolean => order.status === 'CANCELLED'

/**
 * What can still be promised for a complaint: what the order cost, without what was promised for its others. Nothing of
 * one that was cancelled: what was paid for it goes back with that, all of it.
 */
export const mostFor = ({ whole, all, complaint }: Asked): number =>
  isCancelled(whole)
    ? 0
    : all.reduce(
        (left, one) => (one.id === complaint?.id ? left : left - (one.promisedCents ?? 0)),
        whole.order.totalCents,
      )

/** What stands as promised, in cents: what was not given back by then goes back with an order that is cancelled. */
export const promiseOf = (
  whole: WholeOrder,
  { promisedCents, refundedAt }: ComplaintRecord,
): number | null => (isCancelled(whole) && refundedAt === null ? null : promisedCents)

const GIVEN_BACK = 'is not owed: the order was cancelled, and what was paid for it goes back with that'

const conflict = (message: string, details: Record<string, unknown> = {}): ShopError =>
  new ShopError('conflict', message, { details })

const isCurrent = ({ status }: ComplaintRecord): boolean => status === 'OPEN' || status === 'ANSWERED'

/** What has to be so, by its name in the table of the life: what it is refused with; null: it is so. */
const needs: Handlers<NeedOf<typeof complaintLife>, [Asked], ShopError | null> = {
  packed: ({ whole: { order } }) =>
    complainable.includes(order.status)
      ? null
      : new ShopError(
          'order.state',
          order.status === 'CANCELLED'
            ? 'This order was cancelled.'
            : 'This order is not packed yet: you can change or cancel it.',
          { details: { status: order.status } },
        ),
  'a buyer to answer': ({ whole: { contact } }) =>
    contact === null ? conflict('Who placed this order is forgotten: nobody can be answered.') : null,
  'no buyer to answer': ({ whole: { contact } }) =>
    contact === null ? null : conflict('It is not answered yet.'),
  'in time': ({ whole, complaint, now }) => {
    const end = endOf(whole, complaint?.answeredAt)
    if (now.getTime() <= end.getTime()) return null
    const until = momentText(end.toISOString(), whole.slot.timeZone)
    return conflict(
      `This could be said here until ${until}. Your rights go on: please call us, or write to us.`,
      { until: end.toISOString() },
    )
  },
  'none open': ({ all, complaint }) =>
    all.some((one) => one.id !== complaint?.id && isCurrent(one))
      ? conflict('You have told us of this order already. Nothing was sent again.')
      : null,
  'not too often': ({ all, complaint }) =>
    (complaint === null ? all.length >= MAX_COMPLAINTS : complaint.rounds >= MAX_ROUNDS)
      ? conflict('You have told us so often of this order that it takes a call: please ring us.')
      : null,
  'no more than it cost': (asked) => {
    const { refund, complaint } = asked
    if (refund === undefined) return null
    if (complaint?.refundedAt && refund !== complaint.promisedCents)
      return fieldError('refund', 'was given back already')
    if (refund > 0 && isCancelled(asked.whole)) return fieldError('refund', GIVEN_BACK)
    const most = mostFor(asked)
    return refund <= most
      ? null
      : fieldError('refund', `must be at most ${formatDollars(cents(most))}, which is what the order cost`)
  },
  'a promised refund': ({ whole, complaint }) => {
    if (!complaint?.promisedCents) return conflict('No refund was promised.')
    if (isCancelled(whole)) return conflict(`It ${GIVEN_BACK}.`)
    return complaint.refundedAt === null ? null : conflict('It is recorded already.')
  },
  'a recorded refund': ({ complaint }) => (complaint?.refundedAt ? null : conflict('No refund is recorded.')),
  'checked boxes': ({ complaint }) =>
    complaint?.checkedAt ? null : conflict('Nobody has said yet what was found.'),
  'boxes to check': ({ complaint }) => {
    if (!complaint?.aboutBoxes) return conflict('It is not about the freshness of anything.')
    return complaint.checkedAt === null ? null : conflict('Somebody has looked at it already.')
  },
}

/** Why this cannot be done now; null: it can. */
async function refusal(act: ComplaintAct, by: 'buyer' | 'shop', asked: Asked): Promise<ShopError | null> {
  const state = asked.complaint?.status ?? NEW
  const edge = edgeOf(complaintLife, state, act, by)
  if (edge === undefined)
    return conflict(`This complaint is ${state}: that can’t be done with it.`, { status: state })
  for (const need of edge.needs ?? []) {
    const refused = await needs[need](asked)
    if (refused !== null) return refused
  }
  return null
}

/** May this be done now? */
export const may = async (act: ComplaintAct, by: 'buyer' | 'shop', asked: Asked): Promise<boolean> =>
  (await refusal(act, by, asked)) === null

/**
 * The edge that this is. @throws ShopError `order.state`, `conflict`, `input.invalid` with what it is refused for
 */
export async function edgeFor(act: ComplaintAct, by: 'buyer' | 'shop', asked: Asked) {
  const refused = await refusal(act, by, asked)
  if (refused !== null) throw refused
  const edge = edgeOf(complaintLife, asked.complaint?.status ?? NEW, act, by)
  if (edge === undefined) throw new Error('an edge that was not refused is there')
  return edge
}
