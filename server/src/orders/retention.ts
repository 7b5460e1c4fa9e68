import { PHOTO_DAYS } from '@befaqt/domain/complaint'
import { DAY_MS } from '@befaqt/domain/durations'
import { BUYER_NAMED_CENTS, GUEST_CONTACT_DAYS, NAMED_INVOICE_DAYS } from '@befaqt/domain/order-documents'
import { lt, sql } from 'drizzle-orm'
import { rows } from '#server/db/client.ts'
import { blanks, deletes, moment, type Retention } from '#server/db/retention.ts'
import { complaintPhotos } from '#server/db/schema/complaints.ts'
import { holds, idempotencyKeys, orderContacts, orders } from '#server/db/schema/orders.ts'
import { paymentEvents, payments } from '#server/db/schema/payments.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'

/** Waiting orders that ended stay for a week, so that their link can say so. */
const WAITING_MS = 7 * DAY_MS
/** Messages of payment providers, which repeat them for less. */
const MESSAGES_MS = 30 * DAY_MS

/** Payments with which something is still to happen. */
const underWay = sql`('OPEN', 'AUTHORIZED', 'CAPTURED')`

/**
 * Waiting orders that ended a week ago, with their payments, unless something of these is still open.
 */
const endedWaiting: Retention = {
  of: waitingOrders,
  async end(db, now, atMost) {
    const [gone] = await rows<{ n: number }>(
      db,
      sql`with over as (
            select id from waiting_orders w where w.ends_at < ${moment(now, WAITING_MS)}
              and not exists (select from payments p where p.order_id = w.id and p.state in ${underWay})
            limit ${atMost} for update),
          gone as (delete from waiting_orders where id in (select id from over) returning id),
          paid as (delete from payments p using gone where p.order_id = gone.id)
          select count(*)::int as n from gone`,
    )
    return gone?.n ?? 0
  },
}

/**
 * What orders leave behind: what their requests held and answered, contacts of guests, but not yet of orders whose invoice
 * names the buyer, photos of complaints that are answered, networks that count no more, waiting orders, and what was paid for those that went with their account,
 * once it is given back.
 */
export const orderRetention: readonly Retention[] = [
  deletes(holds, (now) => lt(holds.expiresAt, moment(now, DAY_MS))),
  deletes(idempotencyKeys, (now) => lt(idempotencyKeys.createdAt, moment(now, 2 * DAY_MS))),
  deletes(paymentEvents, (now) => lt(paymentEvents.receivedAt, moment(now, MESSAGES_MS))),
  blanks(
    orders,
    sql`network = null`,
    () => sql`${orders.network} is not null and ${orders.status} <> 'PLACED'`,
  ),
  deletes(
    orderContacts,
    (now) => sql`${orderContacts.userId} is null and exists (
      select from orders o where o.id = ${orderContacts.orderId} and o.status in ('COMPLETED', 'CANCELLED')
        and o.updated_at < ${moment(now, GUEST_CONTACT_DAYS * DAY_MS)}
        and (o.invoice_number is null or o.total_cents < ${BUYER_NAMED_CENTS}
          or o.updated_at < ${moment(now, NAMED_INVOICE_DAYS * DAY_MS)}))`,
  ),
  deletes(
    complaintPhotos,
    (now) => sql`exists (select from complaints c where c.id = ${complaintPhotos.complaintId}
      and c.status <> 'OPEN' and c.updated_at < ${moment(now, PHOTO_DAYS * DAY_MS)})`,
  ),
  endedWaiting,
  deletes(
    payments,
    (now) => sql`${payments.state} not in ${underWay} and ${payments.updatedAt} < ${moment(now, WAITING_MS)}
      and not exists (select from orders o where o.id = ${payments.orderId})
      and not exists (select from waiting_orders w where w.id = ${payments.orderId})`,
  ),
]
