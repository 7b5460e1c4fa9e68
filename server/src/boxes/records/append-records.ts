import { randomBytes } from 'node:crypto'
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
import { boxSealed, lockBox } from '#server/boxes/lock-box.ts'
import type { Tx } from '#server/db/client.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import type { BoxRow } from './read-records.ts'

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
