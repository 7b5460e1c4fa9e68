import type { RecallView } from '@befaqt/domain/api/recall-api'
import type { NoticeState } from '@befaqt/domain/box-history'
import { eq } from 'drizzle-orm'
import { actorNames } from '#server/audit/history.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { recalls } from '#server/db/schema/recalls.ts'
import { boxOrders } from '#server/orders/box-sales.ts'
import { type Notice, noticesOf } from './recall-notices.ts'
import { ordersToDecide } from './to-decide.ts'

export type RecallRow = typeof recalls.$inferSelect

/** The recall of a box that is in force; undefined: it is not recalled. */
export async function findRecall(db: Db | Tx, boxID: string): Promise<RecallRow | undefined> {
  const [found] = await db
    .select({ recall: recalls })
    .from(boxes)
    .innerJoin(recalls, eq(recalls.id, boxes.recallId))
    .where(eq(boxes.id, boxID))
  return found?.recall
}

/** The recall of a box with whom it concerns, or whom it would. @throws ShopError `box.not_found` */
export async function recallView(db: Db | Tx, boxID: string): Promise<RecallView> {
  const bought = await boxOrders(db, boxID)
  const recall = await findRecall(db, boxID)
  const notices = recall === undefined ? new Map<string, Notice>() : await noticesOf(db, recall.id)
  const names = recall === undefined ? undefined : await actorNames(db, [recall.who])
  return {
    boxID,
    recall: recall
      ? {
          reason: recall.reason,
          at: recall.at,
          inHistory: recall.seq !== null,
          by: names?.get(recall.who) ?? null,
        }
      : null,
    toDecide: await ordersToDecide(db, boxID),
    orders: bought.map((order) => {
      const notice = notices.get(order._id)
      return {
        ...order,
        notice: stateOf(notice?.state, order.contact !== null),
        noticeError: notice?.error ?? '',
      }
    }),
  }
}

/** A buyer whose account was deleted after the email was sent counts as notified. */
const stateOf = (state: NoticeState | undefined, hasContact: boolean): NoticeState =>
  state === 'sent' || hasContact ? (state ?? 'none') : 'no contact'
