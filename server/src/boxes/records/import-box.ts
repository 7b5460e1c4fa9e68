import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Box } from '@befaqt/domain/box'
import { type Fact, recordsOfBox } from '@befaqt/domain/box-records'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import { submissionKey } from '@befaqt/domain/submission-key'
import { canonicalBytes, genesisHead, toHex } from '@befaqt/provenance'
import { lockBox } from '#server/boxes/lock-box.ts'
import { stateOf } from '#server/boxes/projection/load-state.ts'
import { writeProjection } from '#server/boxes/projection/write-projection.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { appendRecords, type RecordDraft } from './append-records.ts'

/**
 * Turns a whole Box into records, in the caller's transaction. The same Box again, or what we answer for it, adds nothing.
 * @returns 'created' or 'unchanged'
 * @throws ShopError `box.differs` when another content stands under the same boxID
 */
export async function importBox(
  tx: CatalogueTx,
  box: Box,
  more: { by: string; now: Date; market: Market; sample?: boolean },
): Promise<'created' | 'unchanged'> {
  const importHash = createHash('sha256').update(canonicalBytes(box)).digest('hex')
  const created = await tx
    .insert(boxes)
    .values({ id: box.boxID, head: toHex(genesisHead(box.boxID)), importHash, sample: more.sample ?? false })
    .onConflictDoNothing()
    .returning({ id: boxes.id })
  if (created.length === 0) return sameAsBefore(tx, box, { importHash, market: more.market })
  const facts = recordsOfBox(box, { at: marketTime(more.now.getTime(), more.market.timeZone), by: more.by })
  const appended = await appendRecords(tx, box.boxID, facts.map(withKey(more.market.timeZone)))
  await writeProjection(tx, await lockBox(tx, box.boxID), await stateOf(appended, more.market))
  return 'created'
}

/** Readings of a Box are known again when their logger sends them too; of two alike in the Box, the first is. */
function withKey(timeZone: string): (fact: Fact) => RecordDraft {
  const given = new Set<string>()
  return (fact) => {
    if (fact.kind !== 'tracking') return fact
    const dedupeKey = submissionKey(fact.data, timeZone)
    if (given.has(dedupeKey)) return fact
    given.add(dedupeKey)
    return { ...fact, dedupeKey }
  }
}

/** The same as it came before, or as we answer it, with our own transactions. */
async function sameAsBefore(
  tx: Tx,
  box: Box,
  { importHash, market }: { importHash: string; market: Market },
): Promise<'unchanged'> {
  const { boxID } = box
  const { row, box: ours } = await readWholeBox(tx, boxID, market)
  if (row.importHash === importHash || isDeepStrictEqual(box, ours)) return 'unchanged'
  throw new ShopError('box.differs', `The box ${boxID} is here already, with another content.`, {
    details: { boxID },
  })
}
