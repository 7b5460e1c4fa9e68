import { eq } from 'drizzle-orm'
import { lockBox } from '#server/boxes/box-access.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { recallNotices, recalls } from '#server/db/schema/recalls.ts'
import type { EmailReceipts } from '#server/mail/send-email.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { findRecall } from './read-recall.ts'
import { mailedOrders, mailRecall, mailWithdrawal } from './recall-emails.ts'
import { addNotices, noteTold, noteWithdrawn, noticeOf } from './recall-notices.ts'

/**
 * What recalls say of their emails while these are sent. An email that is overtaken is not sent; where the mail server
 * took it in the very moment, the buyer is sent the other one, so that what arrives last is true.
 */
export const recallReceipts = (deps: OrderDeps): EmailReceipts => ({
  async isWanted(receipt) {
    const found = await recallOf(deps.db, receipt)
    if (found === undefined) return true
    const { isWithdrawal, endedAt, boxId } = found
    return isWithdrawal ? (await findRecall(deps.db, boxId)) === undefined : endedAt === null
  },
  async noteSent(tx, receipt) {
    const named = await recallOf(tx, receipt)
    if (named === undefined) return
    const { boxId: boxID, orderId, id } = named
    await lockBox(tx, boxID) // no recall begins or ends meanwhile
    const standing = await findRecall(tx, boxID)
    if (!named.isWithdrawal) {
      await noteTold(tx, [id])
      const ended = await recallOf(tx, receipt)
      if (standing !== undefined || ended?.endedAt == null) return
      await mailWithdrawal(tx, deps, { boxID, reason: ended.endReason ?? '' }, [{ orderId, id }])
      return
    }
    await noteWithdrawn(tx, boxID, id)
    if (standing === undefined) return
    const receipts = await addNotices(tx, standing.id, [orderId])
    const orders = await mailedOrders(tx, boxID, [orderId])
    await mailRecall(tx, deps, 'order-recalled', { boxID, reason: standing.reason, orders }, receipts)
  },
})

/** The notice of a receipt with its recall; undefined: it is none of a recall. */
async function recallOf(db: Db | Tx, receipt: string) {
  const notice = noticeOf(receipt)
  if (notice === null) return undefined
  const [found] = await db
    .select({
      orderId: recallNotices.orderId,
      boxId: recalls.boxId,
      endedAt: recalls.endedAt,
      endReason: recalls.endReason,
    })
    .from(recallNotices)
    .innerJoin(recalls, eq(recalls.id, recallNotices.recallId))
    .where(eq(recallNotices.id, notice.id))
  return found && { ...found, ...notice }
}
