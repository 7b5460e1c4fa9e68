import { eq } from 'drizzle-orm'
import type { BoxRow } from '#server/boxes/records/read-records.ts'
import { looksSameOnCards } from '#server/catalogue/box-cards.ts'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import type { BoxState } from './box-state.ts'
import { projectionOf } from './projection.ts'

/**
 * Writes what lists, cards and pages show of a box, in the transaction that added records to it.
 * @param row after these records, locked by the caller
 * @param state what all of its records add up to
 * @returns whether cards show something else than before
 */
export async function writeProjection(tx: CatalogueTx, row: BoxRow, state: BoxState): Promise<boolean> {
  const written = { ...state.summary(), projection: projectionOf(row, state) }
  await tx.update(boxes).set(written).where(eq(boxes.id, row.id))
  return !looksSameOnCards(row.summary, written.summary, state.timeZone)
}
