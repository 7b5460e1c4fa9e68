import { randomBytes } from 'node:crypto'
import type { FreshnessEntry } from '@befaqt/domain/box'
import { marketTime } from '@befaqt/domain/market-time'
import {
  type BoxRecord,
  canonicalize,
  type Digest,
  fromHex,
  headAfter,
  type JsonObject,
  type RecordKind,
  recordHash,
  restrictedHash,
  toHex,
} from '@befaqt/provenance'
import { eq } from 'drizzle-orm'
import { boxSealed, lockBox } from '#server/boxes/box-access.ts'
import { loadState } from '#server/boxes/projection/box-state.ts'
import type { Market } from '#server/boxes/projection/box-summary.ts'
import { storedProjection, writeProjection } from '#server/boxes/projection/projection.ts'
import { affectsCatalogue, type CatalogueTx, type CatalogueWriter } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import type { BoxRow } from '../read-records.ts'
import { gramsLeftAfter, offersAfter } from './grams-left.ts'

/** What actions that add records take. */
export type RecordingDeps = CatalogueWriter & { now: () => Date; siteFile: { market: Market } }

/** A fact to add, and whether it changes what freshness is computed from: a reading, a result, or its correction. */
type NewRecord = RecordDraft & { changesFreshness: boolean }

/** Does a record leave all figures as they are? A hand-over does, in which nobody measured. */
const saysNothingOfFish = ({ kind, data }: NewRecord): boolean =>
  ['seal', 'sale', 'loss', 'recall', 'weight', 'offer'].includes(kind) ||
  (kind === 'handover' && data.temperature === null)

/**
 * Adds records to a box, in the caller's transaction: the records, a freshness record after a new reading or
 * result, and what lists, cards and pages show.
 * @returns the records as appended, the freshness record not among them; `onCards`: a card shows something else now
 * @throws ShopError `box.not_found`, `box.sealed`
 */
export async function addRecords(
  tx: CatalogueTx,
  { now, siteFile: { market } }: Pick<RecordingDeps, 'now' | 'siteFile'>,
  boxID: string,
  added: readonly NewRecord[],
): Promise<{ appended: BoxRecord[]; onCards: boolean }> {
  const before = await lockBox(tx, boxID)
  const drafts = added.map(({ changesFreshness: _, ...draft }) => draft)
  const appended = await appendRecords(tx, boxID, drafts)
  if (added.every(saysNothingOfFish) && (await carryOver(tx, before, market)))
    return { appended, onCards: false }
  const state = await loadState(tx, await lockBox(tx, boxID), market)
  if (added.some(({ changesFreshness }) => changesFreshness)) {
    const freshness = freshnessDraft(now(), market.timeZone, (time) => state.assess(time))
    if (freshness !== null) {
      await appendRecords(tx, boxID, [freshness])
      state.addFreshness(freshness.data)
    }
  }
  const changed = await writeProjection(tx, await lockBox(tx, boxID), state)
  return { appended, onCards: changed && (await affectsCatalogue(tx, [boxID])) }
}

/**
 * Carries over the projection of a box whose new records don't concern the fish. False when there was none for its
 * head.
 */
async function carryOver(tx: CatalogueTx, before: BoxRow, market: Market): Promise<boolean> {
  const projection = storedProjection(before, market)
  if (projection === undefined) return false
  const { head } = await lockBox(tx, before.id)
  await tx
    .update(boxes)
    .set({ projection: { ...projection, head } })
    .where(eq(boxes.id, before.id))
  return true
}

/** A fact before it has its place in a box's history. */
export type RecordDraft = {
  kind: RecordKind
  at: string
  by: string
  data: JsonObject
  /** What the public page must not show; only its hash goes into the record. Source: protocol §2. */
  restricted?: JsonObject
  /** What makes this submission the same submission when it comes again. */
  dedupeKey?: string
}

/** Rows per insert: parameters of one statement are limited to 65,535. */
const ROWS_PER_INSERT = 1_000

/**
 * Appends facts to a box's history in the caller's transaction, holding the box's row so that two writers can't
 * take the same place.
 * @throws ShopError `box.not_found`, `box.sealed`
 */
export async function appendRecords(
  tx: Tx,
  boxID: string,
  drafts: readonly RecordDraft[],
): Promise<BoxRecord[]> {
  const box = await lockBox(tx, boxID)
  if (box.sealed) throw boxSealed()
  const chain = chainRecords(box, drafts)
  for (let from = 0; from < chain.rows.length; from += ROWS_PER_INSERT)
    await tx.insert(records).values(chain.rows.slice(from, from + ROWS_PER_INSERT))
  await tx
    .update(boxes)
    .set({
      count: box.count + drafts.length,
      head: chain.head,
      sealed: drafts.some((draft) => draft.kind === 'seal'),
      gramsLeft: await gramsLeftAfter(tx, box, drafts),
      offers: offersAfter(box.offers, drafts),
      updatedAt: new Date(),
    })
    .where(eq(boxes.id, boxID))
  await appendEvent(tx, eventKinds.boxGrown, [boxID])
  return chain.appended
}

/** A row of a record as it is inserted. */
type NewRow = typeof records.$inferInsert

/** The records that a box gets, as returned and as stored, and the head that commits to them. */
export type Chain = { appended: BoxRecord[]; rows: NewRow[]; head: string }

/**
 * Gives every draft its place after the records of a box, its salt and its hash, and carries the head along. The
 * caller holds the box's row. Source: protocol §1, §3.
 */
export function chainRecords(
  { id, count, head }: Pick<BoxRow, 'id' | 'count' | 'head'>,
  drafts: readonly RecordDraft[],
): Chain {
  const appended: BoxRecord[] = []
  const rows: NewRow[] = []
  let newest: Digest = fromHex(head)
  for (const [i, draft] of drafts.entries()) {
    const restricted = draft.restricted && { data: draft.restricted, salt: newSalt() }
    const record: BoxRecord = {
      v: 1,
      box: id,
      seq: count + i + 1,
      kind: draft.kind,
      at: draft.at,
      by: draft.by,
      data: draft.data,
      ...(restricted && { restricted: toHex(restrictedHash(restricted)) }),
      salt: newSalt(),
    }
    const hash = recordHash(record)
    newest = headAfter(newest, hash)
    appended.push(record)
    rows.push({
      boxId: id,
      seq: record.seq,
      kind: record.kind,
      body: canonicalize(record),
      restricted: restricted ? canonicalize(restricted) : null,
      recordHash: toHex(hash),
      dedupeKey: draft.dedupeKey ?? null,
    })
  }
  return { appended, rows, head: toHex(newest) }
}

/** 16 random bytes in hex, so that a guessable payload can't be found from its hash. Source: protocol §1. */
const newSalt = (): string => randomBytes(16).toString('hex')

/** Who writes freshness records: the server, nobody else. Source: freshness.md §1. */
const ASSESSOR = 'befaqt'

/**
 * The freshness record of a box as it stands, made now; null when there is nothing to go by. Source: freshness.md §1.
 * @param assess makes the entry of this market time
 */
export function freshnessDraft(
  now: Date,
  timeZone: string,
  assess: (time: string) => FreshnessEntry | null,
): (RecordDraft & { data: FreshnessEntry }) | null {
  const time = marketTime(now.getTime(), timeZone)
  const data = assess(time)
  return data && { kind: 'freshness', at: time, by: ASSESSOR, data }
}
