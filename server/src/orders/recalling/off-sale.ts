import type { BoxSaleInput, BoxSaleView } from '@befaqt/domain/api/recall-api'
import { eq, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { actorNames } from '#server/audit/history.ts'
import { boxNotFound, lockBox } from '#server/boxes/index.ts'
import {
  affectsCatalogue,
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/index.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { timeText } from '#server/db/stored-values.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'

/** Whether a box is off sale, since when, why and by whom. @throws ShopError `box.not_found` */
export async function boxSaleView(db: Db | Tx, boxID: string): Promise<BoxSaleView> {
  const [box] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  if (box === undefined) throw boxNotFound()
  const { offSaleAt, offSaleReason, offSaleBy, recallId } = box
  const names = offSaleBy === null ? undefined : await actorNames(db, [offSaleBy])
  return {
    boxID,
    offSale: offSaleAt && {
      reason: offSaleReason ?? '',
      at: timeText(offSaleAt),
      by: (offSaleBy === null ? undefined : names?.get(offSaleBy)) ?? null,
    },
    recalled: recallId !== null,
  }
}

/**
 * Takes a box off sale, or puts it back. Nothing of it may be sold, packed or handed out while it is off sale; nobody is
 * sent an email, and its products keep their status. What is so already stays as it is: the first reason holds.
 * @throws ShopError `box.not_found`
 */
export async function setBoxSale(
  deps: CatalogueWriter,
  principal: Principal,
  boxID: string,
  input: BoxSaleInput,
): Promise<BoxSaleView> {
  const { view } = await changeCatalogue(
    deps,
    (tx) => setBoxSaleIn(tx, principal, boxID, input),
    ({ isChange }) => isChange,
    { boxes: [boxID] },
  )
  return view
}

/** As `setBoxSale`, in the caller's transaction. `isChange`: cards show something else now. */
export async function setBoxSaleIn(
  tx: CatalogueTx,
  principal: Principal,
  boxID: string,
  { offSale, reason }: BoxSaleInput,
): Promise<{ view: BoxSaleView; isChange: boolean }> {
  const box = await lockBox(tx, boxID)
  const isOff = box.offSaleAt !== null
  if (isOff === offSale) return { view: await boxSaleView(tx, boxID), isChange: false }
  const now = sql`clock_timestamp()`
  await tx
    .update(boxes)
    .set({
      offSaleAt: offSale ? now : null,
      offSaleReason: offSale ? reason : null,
      offSaleBy: offSale ? actorId(principal) : null,
      updatedAt: now, // its page is rendered anew
    })
    .where(eq(boxes.id, boxID))
  await writeAuditEntry(tx, principal, 'box', boxID, {
    before: { offSale: isOff, ...(isOff ? { reason: box.offSaleReason } : {}) },
    after: { offSale, reason },
  })
  return { view: await boxSaleView(tx, boxID), isChange: await affectsCatalogue(tx, [boxID]) }
}
