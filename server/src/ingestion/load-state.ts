import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { newest } from '@befaqt/domain/assessment'
import { NOBODY, recordReader, type StoredRecord } from '@befaqt/domain/box-of-records'
import { type BoxRecord, fromHex, headAfter, toHex } from '@befaqt/provenance'
import {
  type BoxRow,
  type RecordRow,
  readableRecord,
  readRecordsBetween,
} from '#server/boxes/records/read-records.ts'
import type { Market } from '#server/boxes/summary/write-summary.ts'
import { placeOfCatch, traderName } from '#server/boxes/summary/write-summary.ts'
import type { Db } from '#server/db/client.ts'
import { BoxState } from './box-state.ts'
import type { BoxStateCache, CachedState } from './box-state-cache.ts'

/** What is read of a box's row. */
export type BoxHead = Pick<BoxRow, 'id' | 'count' | 'head'>

/** Records after which others get their turn. */
const TURN = 250

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
  const known = memory.get(box.id)
  if (known?.head === box.head) return known.state
  const since =
    known === undefined || known.count >= box.count ? undefined : await readAll(db, box, known.count)
  const isSame = memory.get(box.id) === known
  if (known !== undefined && since !== undefined && isSame && continues(known, since, box)) {
    memory.set(box.id, { ...box, state: known.state })
    return known.state
  }
  const state = await loadState(db, box, market)
  if (memory.get(box.id) === known) memory.set(box.id, { ...box, state })
  return state
}

/** Adds what was written since to what is known, when it leads to the box's head and holds nothing but readings. */
function continues({ head, state }: CachedState, since: readonly RecordRow[], box: BoxHead): boolean {
  const reached = since.reduce((head, { recordHash }) => headAfter(head, fromHex(recordHash)), fromHex(head))
  const written = since.map(readableRecord)
  if (toHex(reached) !== box.head || !written.every(isOfReadings)) return false
  addTo(state, written, recordReader([]))
  return true
}

const isOfReadings = (record: BoxRecord | undefined): record is BoxRecord =>
  record?.kind === 'tracking' || record?.kind === 'freshness'

async function readAll(db: Db, box: BoxHead, after: number): Promise<RecordRow[]> {
  const all: RecordRow[] = []
  for (let last = after; last < box.count; ) {
    const part = await readRecordsBetween(db, box.id, last, box.count)
    if (part.length === 0) break
    all.push(...part)
    last = part.at(-1)?.seq ?? box.count
  }
  return all
}

async function loadState(db: Db, box: BoxHead, market: Market): Promise<BoxState> {
  const history: BoxRecord[] = []
  for (const [i, row] of (await readAll(db, box, 0)).entries()) {
    const record = readableRecord(row)
    if (record !== undefined) history.push(record)
    if (i % TURN === TURN - 1) await yieldToEventLoop()
  }
  return stateOf(history, market)
}

/** What the readable records of a whole history add up to. */
export async function stateOf(history: readonly StoredRecord[], market: Market): Promise<BoxState> {
  const read = recordReader(history)
  const say = <K extends Parameters<typeof read>[0]>(kind: K) =>
    history.flatMap((record) => read(kind, record)?.data ?? [])
  const catchProv = say('catch').at(-1) ?? null
  const facts = {
    trader: traderName(say('registration').at(-1) ?? NOBODY),
    catchProv,
    catchPlace: await placeOfCatch(catchProv),
    submittedScore: say('sensor-result').at(-1)?.iotScore ?? null,
    imageScore: newest(say('image-result'), market.timeZone)?.imgScore ?? null,
    noseScore: newest(say('enose-result'), market.timeZone)?.noseScore ?? null,
  }
  const state = new BoxState(facts, market)
  for (let from = 0; from < history.length; from += TURN) {
    addTo(state, history.slice(from, from + TURN), read)
    await yieldToEventLoop()
  }
  return state
}

function addTo(
  state: BoxState,
  written: readonly StoredRecord[],
  read: ReturnType<typeof recordReader>,
): void {
  state.addReadings(written.flatMap((record) => read('tracking', record)?.data ?? []))
  for (const record of written) {
    const entry = read('freshness', record)
    if (entry !== undefined) state.addFreshness(entry.data)
  }
}
