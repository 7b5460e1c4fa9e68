import { urlOf } from '@befaqt/domain/api/endpoint'
import { readComplaintPhoto } from '@befaqt/domain/api/endpoints/order-page'
import { asc, desc, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { atOnce, type PersonalData } from '#server/db/personal-data.ts'
import { complaintPhotos, complaints, complaintWords } from '#server/db/schema/complaints.ts'
import { holds, orderContacts, orders } from '#server/db/schema/orders.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import { buyersComplaints } from './complaints/read-complaints.ts'
import { orderView } from './order-views.ts'
import { readWholeOrder, readWholeOrders } from './read-orders.ts'

/** Orders that are read with all that belongs to them at once. */
const PART = 50

/** What an account has ordered, as it sees it itself. */
export const orderData: readonly PersonalData[] = [
  {
    name: 'orders',
    of: [orders, orderContacts],
    read: async function* (db: Db, userId: string) {
      const own = await db
        .select({ id: orders.id })
        .from(orders)
        .where(eq(orders.userId, userId))
        .orderBy(asc(orders.createdAt), asc(orders.id))
      const ids = own.map(({ id }) => id)
      for (let from = 0; from < ids.length; from += PART) {
        const whole = await readWholeOrders(db, ids.slice(from, from + PART))
        yield whole.map((one) => ({ ...orderView(one, 'buyer'), moves: undefined, amendable: undefined }))
      }
    },
  },
  atOnce('complaints', [complaints, complaintWords, complaintPhotos], async (db, userId) => {
    const own = await db
      .selectDistinct({ id: orders.id })
      .from(orders)
      .innerJoin(complaints, eq(complaints.orderId, orders.id))
      .where(eq(orders.userId, userId))
    const found = []
    for (const { id } of own) {
      const told = await db.transaction(async (tx) =>
        buyersComplaints(tx, await readWholeOrder(tx, id), new Date()),
      )
      const photoOf = ({ _id: photo }: { _id: string }): string =>
        urlOf(readComplaintPhoto, { params: { id, photo } })
      found.push(
        ...told.map(({ acts: _, photos, ...one }) => ({ order: id, ...one, photos: photos.map(photoOf) })),
      )
    }
    return found
  }),
  atOnce('waitingOrders', [waitingOrders], (db, userId) => {
    const { id, status, kind, slot, lines, totalCents, deliveryCents, coupon, payment, contact } =
      waitingOrders
    const { createdAt, endsAt } = waitingOrders
    const what = { id, status, kind, slot, lines, totalCents, deliveryCents, coupon, payment, contact }
    return db
      .select({ ...what, createdAt, endsAt })
      .from(waitingOrders)
      .where(eq(waitingOrders.userId, userId))
      .orderBy(desc(waitingOrders.createdAt), desc(waitingOrders.id))
  }),
  atOnce('openCheckout', [holds], (db, userId) =>
    db.select({ slot: holds.slotId, until: holds.expiresAt }).from(holds).where(eq(holds.userId, userId)),
  ),
]
