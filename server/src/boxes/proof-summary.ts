import { schemaNames } from '@befaqt/domain/fields'
import { type Digest, fromHex, genesisHead, headAfter, toHex } from '@befaqt/provenance'
import type { LoggedState } from '@befaqt/provenance/bundle-log'
import { FormatError, parsedOr } from '@befaqt/provenance/format-error'
import { MAX_FOLLOWING, parseSummary } from '@befaqt/provenance/summary'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import {
  BoxState,
  type CosignedCheckpoint,
  checkpointsForProofs,
  inclusionOf,
} from '#server/anchoring/index.ts'
import { type Db, FROM_REPLICA, rows, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { boxNotFound, isOnSale } from './box-access.ts'
import { stateAt } from './proof-log.ts'
import { type RecordRow, readableRecord, shownRecord } from './read-records.ts'

/** Checkpoints that are tried, the best first: maps are kept for the newest anchors alone. */
const CHECKPOINTS = 4
/** Records between the head that is known and the freshness record: more are not hashed for a card. */
const MAX_HASHED = 2_000

/**
 * So much of a box's proof as tells how fresh it was at the log's best checkpoint: a `Summary` as JSON text. Where none can
 * be given, a `NoneNow` says why: that is no failure, which browsers would write to their consoles for every card.
 * What is read are some twenty records, one path of a map and one of the log, however long the history is.
 * Source: witness.md, Receipts.
 * @throws ShopError `box.not_found`
 */
export async function boxSummary({ db }: { db: Db }, boxID: string): Promise<string> {
  try {
    return await db.transaction((tx) => summaryText(tx, boxID), FROM_REPLICA)
  } catch (error) {
    if (!(error instanceof NoSummary)) throw error
    return JSON.stringify({ v: 2, box: boxID, none: error.message } satisfies z.infer<typeof NoneNow>)
  }
}

/** @throws NoSummary */
async function summaryText(tx: Tx, boxID: string): Promise<string> {
  const { recallId, offSaleAt, summary } = boxes
  const [box] = await tx.select({ recallId, offSaleAt, summary }).from(boxes).where(eq(boxes.id, boxID))
  if (box === undefined) throw boxNotFound()
  if (!isOnSale(box)) throw new NoSummary('It is recalled or off sale: nothing is said of how fresh it is.')
  const { checkpoint, state } = await loggedState(tx, boxID)
  const { index, root, time, boxes: count, records, leaf, path } = state
  const shown = await newestRecords(tx, boxID, leaf.count)
  const [first] = shown
  if (first && readableRecord(first)?.data.freshnessIndex !== box.summary?.freshnessIndex)
    throw new NoSummary('What is known of how fresh it is waits for the log.')
  const inclusion = (await inclusionOf(tx, checkpoint.size, [index]))[index] ?? []
  const log = { checkpoint: checkpoint.note, root, time, boxes: count, records, inclusion }
  const headBefore = await headAt(tx, boxID, leaf.count - shown.length)
  const parts = JSON.stringify({ v: 2, box: boxID, leaf, path, headBefore, log })
  const text = `${parts.slice(0, -1)},"records":[${shown.map(shownRecord).join(',')}]}`
  const unfit = parsedOr(() => parseSummary(text), undefined)
  if (unfit instanceof FormatError) throw new NoSummary(`It would be refused: ${unfit.message}.`)
  return text
}

/** There can be no summary now, for a reason in a sentence. */
class NoSummary extends Error {}

/** The best checkpoint whose newest anchor can show the box, and the box there. */
async function loggedState(
  tx: Tx,
  boxID: string,
): Promise<{ checkpoint: CosignedCheckpoint; state: LoggedState }> {
  for (const checkpoint of await checkpointsForProofs(tx, CHECKPOINTS)) {
    const state = checkpoint.size === 0 ? undefined : await stateAt(tx, checkpoint.size - 1, boxID)
    if (state !== undefined) return { checkpoint, state }
  }
  throw new NoSummary('No state of it is in the log, or the log is not signed.')
}

/** The records up to `count` from the newest of how fresh the box is on. */
async function newestRecords(tx: Tx, boxID: string, count: number): Promise<RecordRow[]> {
  const from = count - MAX_FOLLOWING
  const newest = await rows<RecordRow>(
    tx,
    sql`select seq, kind, body, record_hash as "recordHash" from records
        where box_id = ${boxID} and seq between ${from}::int and ${count}::int order by seq`,
  )
  const first = newest.findLastIndex(({ kind }) => kind === 'freshness')
  const shown = newest.slice(Math.max(first, 0))
  if (first === -1 || shown.at(-1)?.seq !== count)
    throw new NoSummary('Its newest record of how fresh it is lies too far back.')
  return shown
}

/** The head of a box after so many records: from the last that an anchor holds before, by the hashes that follow. */
async function headAt(tx: Tx, boxID: string, count: number): Promise<string> {
  const [known] = await rows<{ count: number; head: string }>(
    tx,
    sql`select count, head from anchor_leaves where box_id = ${boxID} and count <= ${count}::int
        order by anchor_index desc limit 1`,
  )
  const from = known?.count ?? 0
  if (count - from > MAX_HASHED) throw new NoSummary('Too many of its records are in one anchor.')
  const hashes = await rows<{ hash: string }>(
    tx,
    sql`select record_hash as hash from records
        where box_id = ${boxID} and seq > ${from}::int and seq <= ${count}::int order by seq`,
  )
  if (hashes.length < count - from) throw new NoSummary('Its records are in a file.')
  let head: Digest = known === undefined ? genesisHead(boxID) : fromHex(known.head)
  for (const { hash } of hashes) head = headAfter(head, fromHex(hash))
  return toHex(head)
}

const NoneNow = z.strictObject({
  v: z.literal(2),
  box: z.string(),
  none: z.string().describe('why there is no summary now'),
})

/** A summary in outline, for the API's document: its truth is for a verifier to see. */
const SummaryOfBox = z
  .strictObject({
    v: z.literal(2),
    box: z.string(),
    leaf: BoxState.describe('the box in the newest anchor that the checkpoint covers'),
    path: z.array(z.string()),
    headBefore: z.string().describe('its head before the first of the records'),
    records: z
      .array(z.unknown().describe('a record as it is kept'))
      .describe(`its newest freshness record there, and at most ${MAX_FOLLOWING} that follow`),
    log: z.strictObject({
      checkpoint: z.string().describe('a note that the log and its witnesses signed'),
      root: z.string(),
      time: z.string(),
      boxes: z.int(),
      records: z.int(),
      inclusion: z.array(z.string()).describe('the way of that anchor up to the root of the log'),
    }),
  })
  .register(schemaNames, { id: 'BoxSummary' })

/** What is answered: a summary, or why there is none. */
export const Summary = z.union([SummaryOfBox, NoneNow])
