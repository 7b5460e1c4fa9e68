import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Box, submissionKey } from '@befaqt/domain/box'
import { type Fact, recordsOfBox } from '@befaqt/domain/box-records'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import { canonicalBytes, genesisHead, toHex } from '@befaqt/provenance'
import { lockBox } from '#server/boxes/box-access.ts'
import { stateOf } from '#server/boxes/projection/box-state.ts'
import type { Market } from '#server/boxes/projection/box-summary.ts'
import { writeProjection } from '#server/boxes/projection/projection.ts'
import type { Archived } from '#server/boxes/read-records.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { appendRecords, type RecordDraft } from './add-records.ts'

type More = { by: string; now: Date; market: Market; sample?: boolean; archived?: Archived }

/**
 * Turns a whole Box into records, in the caller's transaction. The same Box again, or what we answer for it, adds nothing.
 * @returns 'created' or 'unchanged'
 * @throws ShopError `box.differs` when the box exists with other content; RowsDropped
 */
export async function importBox(tx: CatalogueTx, box: Box, more: More): Promise<'created' | 'unchanged'> {
  const { now, market, by, sample = false } = more
  const importHash = hashOf(box)
  const facts = recordsOfBox(box, { at: marketTime(now.getTime(), market.timeZone), by, sample })
  if (await createBox(tx, box.boxID, importHash, facts, more)) return 'created'
  return sameAsBefore(tx, box, { ...more, importHash })
}

/**
 * Makes a box of facts from a document, in the caller's transaction. The same facts again add nothing.
 * @returns 'created' or 'unchanged'; 'differs' when the box exists with other content
 */
export async function importFacts(
  tx: CatalogueTx,
  boxID: string,
  facts: readonly Fact[],
  more: More,
): Promise<'created' | 'unchanged' | 'differs'> {
  const importHash = hashOf(facts)
  if (await createBox(tx, boxID, importHash, facts, more)) return 'created'
  return (await lockBox(tx, boxID)).importHash === importHash ? 'unchanged' : 'differs'
}

const hashOf = (content: unknown): string =>
  createHash('sha256').update(canonicalBytes(content)).digest('hex')

/** Makes a box with its records; false when there is one with this id. */
async function createBox(
  tx: CatalogueTx,
  boxID: string,
  importHash: string,
  facts: readonly Fact[],
  { market, sample = false }: More,
): Promise<boolean> {
  const created = await tx
    .insert(boxes)
    .values({ id: boxID, head: toHex(genesisHead(boxID)), importHash, sample })
    .onConflictDoNothing()
    .returning({ id: boxes.id })
  if (created.length === 0) return false
  const appended = await appendRecords(tx, boxID, facts.map(withKey(market.timeZone)))
  const state = await stateOf(appended, market)
  await writeProjection(tx, await lockBox(tx, boxID), state)
  return true
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
  { importHash, market, archived }: Pick<More, 'market' | 'archived'> & { importHash: string },
): Promise<'unchanged'> {
  const { boxID } = box
  const { row, box: ours } = await readWholeBox(tx, boxID, market, archived)
  if (row.importHash === importHash || isDeepStrictEqual(box, ours)) return 'unchanged'
  throw new ShopError('box.differs', `The box ${boxID} already exists, with different content.`, {
    details: { boxID },
  })
}
