import { hash } from 'node:crypto'
import type { EnoseResult, ImageResult } from '@befaqt/domain/box'
import { canonicalBytes } from '@befaqt/provenance'
import { and, eq } from 'drizzle-orm'
import { lockBox } from '#server/boxes/lock-box.ts'
import { addRecords, type RecordingDeps } from '#server/boxes/records/add-records.ts'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import type { Tx } from '#server/db/client.ts'
import { records } from '#server/db/schema/boxes.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'

/** A result of an image or e-nose station, by the kind of its record. */
export type Result = { kind: 'image-result'; data: ImageResult } | { kind: 'enose-result'; data: EnoseResult }

/**
 * Adds a result to a box, and a freshness record after it; the same result again adds nothing. Answers its place.
 * @param save writes the rows of its files, first in the transaction
 * @throws ShopError `box.not_found`, `box.sealed`
 */
export function addResult(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  { kind, data }: Result,
  save: (tx: Tx) => Promise<void>,
): Promise<{ seq: number; isNew: boolean }> {
  const dedupeKey = `${kind}:${hash('sha256', canonicalBytes(data))}`
  return changeCatalogue(
    deps,
    async (tx) => {
      await lockBox(tx, boxID)
      const [before] = await tx
        .select({ seq: records.seq })
        .from(records)
        .where(and(eq(records.boxId, boxID), eq(records.dedupeKey, dedupeKey)))
      if (before !== undefined) return { seq: before.seq, isNew: false, onCards: false }
      await save(tx)
      const by = data.operator || actorId(principal)
      const draft = { kind, at: data.time, by, data: { ...data }, dedupeKey, changesFreshness: true }
      const { appended, onCards } = await addRecords(tx, deps, boxID, [draft])
      return { seq: appended[0]?.seq ?? 0, isNew: true, onCards }
    },
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  ).then(({ seq, isNew }) => ({ seq, isNew }))
}
