import type { BoxSaleChange, BoxSaleInput, BoxSaleView } from '@befaqt/domain/api/recall-api'
import { ShopError } from '@befaqt/domain/errors'
import { eq, type SQL, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { actorNames } from '#server/audit/history.ts'
import { type BoxRow, boxNotFound, boxRecalled, lockBox } from '#server/boxes/index.ts'
import {
  affectsCatalogue,
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
} from '#server/catalogue/index.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
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
 * @throws ShopError `box.not_found`; with `since` also `box.recalled`, `conflict`
 */
export async function setBoxSale(
  deps: CatalogueWriter,
  principal: Principal,
  boxID: string,
  input: BoxSaleInput,
): Promise<BoxSaleChange> {
  const { sale } = await changeCatalogue(
    deps,
    (tx) => setBoxSaleIn(tx, principal, boxID, input),
    ({ isChange }) => isChange,
    { boxes: [boxID] },
  )
  return sale
}

/** As `setBoxSale`, in the caller's transaction. `isChange`: cards show something else now. */
export async function setBoxSaleIn(
  tx: CatalogueTx,
  principal: Principal,
  boxID: string,
  { offSale, reason, since }: BoxSaleInput,
): Promise<{ sale: BoxSaleChange; isChange: boolean }> {
  const box = await lockBox(tx, boxID)
  const isOff = box.offSaleAt !== null
  if (!offSale && since !== undefined) await assertOwn(tx, principal, box, since)
  if (isOff === offSale) {
    if (isOff) await noteAgreement(tx, principal, box, reason)
    return { sale: { ...(await boxSaleView(tx, boxID)), changed: false }, isChange: false }
  }
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
  return {
    sale: { ...(await boxSaleView(tx, boxID)), changed: true },
    isChange: await affectsCatalogue(tx, [boxID]),
  }
}

/** SQL: changes of a box since it was taken off sale, by their order, which its lock gives them. */
const sinceOff = (boxID: string): SQL => sql`c.entity = 'box' and c.entity_id = ${boxID} and c.id >
  coalesce((select max(o.id) from changes o
    where o.entity = 'box' and o.entity_id = ${boxID} and o.after->>'offSale' = 'true'), 0)`

/** Somebody else wants off sale what is so already: once for each it is noted, so that undoing the first does not undo this. */
async function noteAgreement(tx: Tx, principal: Principal, box: BoxRow, reason: string): Promise<void> {
  const who = actorId(principal)
  if (who === box.offSaleBy) return
  const known = await rows(
    tx,
    sql`select 1 from changes c where ${sinceOff(box.id)} and c.who = ${who} and c.after ? 'alsoOffSale'`,
  )
  if (known.length === 0)
    await writeAuditEntry(tx, principal, 'box', box.id, {
      before: { alsoOffSale: null },
      after: { alsoOffSale: reason },
    })
}

/**
 * Whoever takes back their own press may not take back what others decided since.
 * @throws ShopError `box.recalled`, `conflict`
 */
async function assertOwn(tx: Tx, principal: Principal, box: BoxRow, since: string): Promise<void> {
  if (box.recallId !== null) throw boxRecalled(box.id)
  if (box.offSaleAt === null) return
  const who = actorId(principal)
  if (box.offSaleBy !== who || timeText(box.offSaleAt) !== since)
    throw new ShopError(
      'conflict',
      `Box ${box.id} was taken off sale by somebody else or again since: it stays so.`,
    )
  const [other] = await rows<{ who: string }>(
    tx,
    sql`select c.who from changes c
        where ${sinceOff(box.id)} and c.who <> ${who} and c.after ? 'alsoOffSale' limit 1`,
  )
  if (other === undefined) return
  const name = (await actorNames(tx, [other.who])).get(other.who) ?? 'Somebody else'
  throw new ShopError('conflict', `${name} took box ${box.id} off sale, too: it stays so.`)
}
