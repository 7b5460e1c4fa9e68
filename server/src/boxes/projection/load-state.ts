import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { probesOf } from '@befaqt/domain/box-history'
import { recordReader } from '@befaqt/domain/box-records'
import { newest } from '@befaqt/domain/freshness'
import { NOBODY, type StoredRecord } from '@befaqt/domain/rebuild-box'
import type { BoxRecord } from '@befaqt/provenance'
import {
  type BoxRow,
  type RecordRow,
  readableRecord,
  readRecordsBetween,
} from '#server/boxes/records/read-records.ts'
import { type Market, placeOfCatch, traderName } from '#server/boxes/summary/box-summary.ts'
import type { Db } from '#server/db/client.ts'
import { BoxState } from './box-state.ts'

/** What is read of a box's row: its records, and whether they are still those that made up this head. */
export type BoxHead = Pick<BoxRow, 'id' | 'count' | 'head' | 'alterations'>

/** Records after which others get their turn. */
const TURN = 250

/** What the records of a box up to its head add up to, from its whole history, read in parts. */
export async function loadState(db: Db, box: BoxHead, market: Market): Promise<BoxState> {
  const history: BoxRecord[] = []
  for (const [i, row] of (await readRecordsAfter(db, box, 0)).entries()) {
    const record = readableRecord(row)
    if (record !== undefined) history.push(record)
    if (i % TURN === TURN - 1) await yieldToEventLoop()
  }
  return stateOf(history, market)
}

/** The records of a box after a place and up to its head, read in parts. */
export async function readRecordsAfter(db: Db, box: BoxHead, after: number): Promise<RecordRow[]> {
  const all: RecordRow[] = []
  for (let last = after; last < box.count; ) {
    const part = await readRecordsBetween(db, box.id, last, box.count)
    if (part.length === 0) break
    all.push(...part)
    last = part.at(-1)?.seq ?? box.count
  }
  return all
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
    probes: probesOf(history, market.timeZone),
  }
  const state = new BoxState(facts, market)
  for (let from = 0; from < history.length; from += TURN) {
    addToState(state, history.slice(from, from + TURN), read)
    await yieldToEventLoop()
  }
  return state
}

/** Adds what records say of readings and freshness, in the order of the history. */
export function addToState(
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
