import { randomUUID } from 'node:crypto'
import type { RecallView } from '@befaqt/domain/api/recall-api'
import { notReached, type RecallData } from '@befaqt/domain/box-history'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, type Handlers, life, type NeedOf } from '@befaqt/domain/life'
import { marketTime } from '@befaqt/domain/market-time'
import { eq, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { addRecords, boxRecalled, boxSealed, lockBox } from '#server/boxes/index.ts'
import { affectsCatalogue, type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import { tags } from '#server/cdn/cdn.ts'
import { clearLater, clearNow } from '#server/cdn/clear-copies.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { recalls } from '#server/db/schema/recalls.ts'
import { productBoxes } from '#server/db/schema/shop.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { findRecall, type RecallRow, recallView } from './read-recall.ts'
import { mailRecall, mailWithdrawal } from './recall-emails.ts'
import { addNotices, cancelUnsent, toldOrders } from './recall-notices.ts'

const shop = ['shop'] as const

/** The life of a recall; a box may have one after the other. Each move takes back what was not sent yet of its reverse. */
export const recallLife = life({
  'not recalled': {
    recall: {
      to: 'recalled',
      by: shop,
      effects: ['note in the history', 'audit: recalled', 'cancel unsent withdrawals', 'email the buyers'],
    },
  },
  recalled: {
    'recall for the same reason': { to: 'recalled', by: shop },
    resend: { to: 'recalled', by: shop, effects: ['email the buyers'] },
    withdraw: {
      to: 'not recalled',
      by: shop,
      needs: ['history open where it is noted'],
      effects: ['note in the history', 'audit: withdrawn', 'cancel unsent notices', 'email who was told'],
    },
  },
})

/** SQL: a box's row is written also where only its recall changed, so that its page is rendered anew. */
const now = sql`clock_timestamp()`

/**
 * Recalls a box: its history says so unless it was sealed before, its products no longer show it, nothing can be packed
 * from it, and an email to each buyer is queued, all in one transaction. Before it is answered, copies of pages that show it
 * are cleared; `copiesLate`: they could not be yet. Again with the same reason it changes nothing.
 * @throws ShopError `box.not_found`, `box.recalled` where it is recalled for another reason
 */
export async function recallBox(
  deps: OrderDeps,
  principal: Principal,
  boxID: string,
  reason: string,
): Promise<RecallView> {
  const { view } = await changeCatalogue(
    deps,
    async (tx) => {
      const { sealed } = await lockBox(tx, boxID)
      const standing = await findRecall(tx, boxID)
      if (standing !== undefined) {
        if (standing.reason !== reason) throw boxRecalled(boxID)
        return { view: await recallView(tx, boxID), isChange: false }
      }
      const id = randomUUID()
      const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
      const about = { tx, deps, principal, boxID, id, reason }
      const { effects } = recallLife['not recalled'].recall
      const noted = sealed ? [] : await carryOut(effects, noting, { ...about, at, data: { reason } })
      const seq = noted[0] ?? null
      await tx.insert(recalls).values({ id, boxId: boxID, reason, at, seq, who: actorId(principal) })
      await tx.update(boxes).set({ recallId: id, updatedAt: now }).where(eq(boxes.id, boxID))
      await carryOut(effects, followUps, about)
      await clearLater(tx, deps, await shownOf(tx, boxID), `recall ${boxID}`)
      return { view: await recallView(tx, boxID), isChange: await affectsCatalogue(tx, [boxID]) }
    },
    ({ isChange }) => isChange,
    { boxes: [boxID] },
  )
  const isCleared = await clearNow(deps, await shownOf(deps.db, boxID))
  return isCleared === false ? { ...view, copiesLate: true } : view
}

/** Tags of all pages that show a box. */
async function shownOf(db: Db | Tx, boxID: string): Promise<string[]> {
  const found = await db
    .select({ id: productBoxes.productId })
    .from(productBoxes)
    .where(eq(productBoxes.boxId, boxID))
  return [tags.box(boxID), tags.lists, ...found.map(({ id }) => tags.product(id))]
}

/** Queues emails again for those who were not reached. @throws ShopError `box.not_found`, `box.not_recalled` */
export async function resendRecall(
  deps: OrderDeps,
  principal: Principal,
  boxID: string,
): Promise<RecallView> {
  return deps.db.transaction(async (tx) => {
    await lockBox(tx, boxID)
    const { id, reason } = await standingRecall(tx, boxID)
    const { effects } = recallLife.recalled.resend
    await carryOut(effects, followUps, { tx, deps, principal, boxID, id, reason })
    return recallView(tx, boxID)
  })
}

/**
 * Withdraws the recall of a box. Emails about it that were not sent yet never are; those who were told are told of this.
 * @throws ShopError `box.not_found`, `box.not_recalled`, `box.sealed` where its history, which has ended, says that it
 *   is recalled
 */
export async function withdrawRecall(
  deps: OrderDeps,
  principal: Principal,
  boxID: string,
  reason: string,
): Promise<RecallView> {
  return changeCatalogue(
    deps,
    async (tx) => {
      const { sealed } = await lockBox(tx, boxID)
      const { id, seq } = await standingRecall(tx, boxID)
      const { needs, effects } = recallLife.recalled.withdraw
      await carryOut(needs, conditions, { sealed, seq })
      const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
      const about = { tx, deps, principal, boxID, id, reason }
      if (seq !== null) await carryOut(effects, noting, { ...about, at, data: { reason, withdrawn: true } })
      await tx
        .update(recalls)
        .set({ endedAt: now, endedBy: actorId(principal), endReason: reason })
        .where(eq(recalls.id, id))
      await tx.update(boxes).set({ recallId: null, updatedAt: now }).where(eq(boxes.id, boxID))
      await carryOut(effects, followUps, about)
      await clearLater(tx, deps, await shownOf(tx, boxID), `recall ${boxID}`)
      return recallView(tx, boxID)
    },
    undefined,
    { boxes: [boxID] },
  )
}

/** @throws ShopError `box.not_recalled` */
async function standingRecall(tx: Tx, boxID: string): Promise<RecallRow> {
  const recall = await findRecall(tx, boxID)
  if (recall === undefined) throw new ShopError('box.not_recalled', 'This box is not recalled.')
  return recall
}

type About = {
  tx: Tx
  deps: OrderDeps
  principal: Principal
  boxID: string
  /** Of the recall. */
  id: string
  reason: string
}

type Noted = { tx: CatalogueTx; at: string; data: RecallData }

const conditions: Handlers<NeedOf<typeof recallLife>, [{ sealed: boolean; seq: number | null }], void> = {
  'history open where it is noted': ({ sealed, seq }) => {
    if (seq !== null && sealed) throw boxSealed()
  },
}

/** Makes it a record of the box, without a word of who bought from it. Returns its place in the history. */
const noting = {
  'note in the history': async ({ tx, deps, principal, boxID, at, data }) => {
    const fact = { kind: 'recall' as const, at, by: actorId(principal), data, changesFreshness: false }
    const { appended } = await addRecords(tx, deps, boxID, [fact])
    return appended[0]?.seq ?? 0
  },
} satisfies Partial<Handlers<EffectOf<typeof recallLife>, [About & Noted], number>>

const audit = ({ tx, principal, boxID, reason }: About, recalled: boolean): Promise<void> =>
  writeAuditEntry(tx, principal, 'box', boxID, {
    before: { recalled: !recalled },
    after: { recalled, reason },
  })

/** What follows once the box's row says it. */
const followUps: Handlers<Exclude<EffectOf<typeof recallLife>, keyof typeof noting>, [About], void> = {
  'audit: recalled': (about) => audit(about, true),
  'audit: withdrawn': (about) => audit(about, false),
  'cancel unsent withdrawals': ({ tx, boxID }) => cancelUnsent(tx, boxID, 'withdrawals'),
  'cancel unsent notices': ({ tx, boxID }) => cancelUnsent(tx, boxID, 'notices'),
  /** Those who were not reached yet, once for each order. */
  'email the buyers': async ({ tx, deps, boxID, id, reason }) => {
    const all = (await recallView(tx, boxID)).orders
    const orders = all.filter(({ contact, notice }) => contact !== null && notReached.includes(notice))
    const receipts = await addNotices(
      tx,
      id,
      orders.map(({ _id }) => _id),
    )
    await mailRecall(tx, deps, 'order-recalled', { boxID, reason, orders }, receipts)
  },
  'email who was told': async ({ tx, deps, boxID, reason }) =>
    mailWithdrawal(tx, deps, { boxID, reason }, await toldOrders(tx, boxID)),
}
