import { HOUR_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { momentText } from '@befaqt/domain/moment-text'
import { type Cents, cents, formatDollars } from '@befaqt/domain/money'
import { CAPTURE_WARNING_H } from '@befaqt/domain/payment'
import { timeText } from '#server/db/stored-values.ts'
import { fieldError } from '#server/http/field-error.ts'
import { assertMay } from '../order-access.ts'
import { amendabilityOf, type WholeOrder } from '../order-views.ts'
import type { SlotRow } from '../slots.ts'

/**
 * Can its buyer change an order now, so that it comes to this total?
 * @throws ShopError `order.state` with the reason in `why`, `order.unpaid` where its card covers less
 */
export function assertAmendable(whole: WholeOrder, total?: Cents): void {
  const why = amendabilityOf(whole, total)
  if (why === 'open') return
  const { order, slot, payment } = whole
  const details = { status: order.status, why }
  if (why === 'state') assertMay(order, 'amend')
  if (why === 'packing')
    throw new ShopError('order.state', 'We have begun to pack this order: it can’t be changed any more.', {
      details,
    })
  if (why === 'late')
    throw new ShopError(
      'order.state',
      `This order could be changed until ${momentText(timeText(slot.cutOffAt), slot.timeZone)}. Nothing was changed.`,
      { details },
    )
  if (payment?.state === 'OPEN')
    throw new ShopError('order.state', 'This order is being paid by card. It can be changed after that.', {
      details,
    })
  if (payment?.state === 'CAPTURED')
    throw new ShopError('order.state', 'This order is paid already: what it costs can’t change any more.', {
      details,
    })
  if (payment && total !== undefined)
    throw new ShopError(
      'order.unpaid',
      `Your card holds ${formatDollars(cents(payment.amountCents))} for this order, and it would come to ${formatDollars(total)}. Please take less, or order the rest by itself.`,
      { details: { ...details, amount: total - payment.amountCents } },
    )
  throw new ShopError('order.state', 'Whoever placed this order has deleted the account.', { details })
}

/** A card that holds the amount still holds it when the order is packed. @throws ShopError `input.invalid` */
export function assertCardUntil({ payment }: WholeOrder, { endsAt }: SlotRow): void {
  if (payment?.state !== 'AUTHORIZED') return
  if (endsAt.getTime() > payment.endsAt.getTime() - CAPTURE_WARNING_H * HOUR_MS)
    throw fieldError('slot', 'is later than your card holds the amount. Please choose an earlier time.')
}
