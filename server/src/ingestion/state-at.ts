import { recordReader } from '@befaqt/domain/box-of-records'
import { type BoxRecord, fromHex, headAfter, toHex } from '@befaqt/provenance'
import {
  addToState,
  type BoxHead,
  type BoxState,
  loadState,
  readRecordsAfter,
} from '#server/boxes/projection/box-state.ts'
import type { Market } from '#server/boxes/projection/box-summary.ts'
import { type RecordRow, readableRecord } from '#server/boxes/records/read-records.ts'
import type { Db } from '#server/db/client.ts'
import type { BoxStateCache, CachedState } from './box-state-cache.ts'

/**
 * What the records of a box up to its head add up to, from memory where it is known; else what was written since is
 * read or, when that is not enough, the whole history, in parts. It is in the memory afterwards unless somebody else
 * put something newer there.
 */
export async function stateAt(
  db: Db,
  memory: BoxStateCache,
  box: BoxHead,
  market: Market,
): Promise<BoxState> {
  const inMemory = memory.get(box.id)
  const known = inMemory?.alterations === box.alterations ? inMemory : undefined
  if (known?.head === box.head) return known.state
  const since =
    known === undefined || known.count >= box.count ? undefined : await readRecordsAfter(db, box, known.count)
  const isSame = memory.get(box.id) === inMemory
  if (known !== undefined && since !== undefined && isSame && continues(known, since, box)) {
    memory.set(box.id, { ...box, state: known.state })
    return known.state
  }
  const state = await loadState(db, box, market)
  if (memory.get(box.id) === inMemory) memory.set(box.id, { ...box, state })
  return state
}

/** Adds what was written since to what is known, when it leads to the box's head and holds nothing but readings. */
function continues({ head, state }: CachedState, since: readonly RecordRow[], box: BoxHead): boolean {
  const reached = since.reduce((head, { recordHash }) => headAfter(head, fromHex(recordHash)), fromHex(head))
  const written = since.map(readableRecord)
  if (toHex(reached) !== box.head || !written.every(isOfReadings)) return false
  addToState(state, written, recordReader([]))
  return true
}

const isOfReadings = (record: BoxRecord | undefined): record is BoxRecord =>
  record?.kind === 'tracking' || record?.kind === 'freshness'
