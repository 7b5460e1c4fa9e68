import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import type { Box } from '@befaqt/domain/box'
import { boxOfRecords } from '@befaqt/domain/box-records'
import type { BoxRecord } from '@befaqt/provenance'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { anchorColumns as anchor } from '#server/anchoring/index.ts'
import { type HistoryDeps, withArchive } from '#server/boxes/archive/read-archive.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { anchorLeaves, anchors } from '#server/db/schema/ledger.ts'
import { stateOf } from './projection/box-state.ts'
import type { Market } from './projection/box-summary.ts'
import { projectionOf, saveProjection, storedProjection } from './projection/projection.ts'
import {
  type Archived,
  type BoxRow,
  type RecordRow,
  readableRecord,
  readBox,
  readSmallBoxes,
} from './read-records.ts'

/** A row of a history with what it can be read as; a damaged record is left out of what pages show. */
export type ReadRow = RecordRow & { record: BoxRecord | undefined }

/** A box with all that pages and calls say of it. */
export type ReadBox = {
  box: Box
  figures: BoxMetrics
  row: BoxRow
  rows: ReadRow[]
  covering: readonly BoxAnchor[]
}

/** As `readWholeBox`, also of a box whose rows were dropped. @throws ShopError `unavailable` while its file can't be read */
export const wholeBox = (deps: HistoryDeps, boxID: string, market: Market): Promise<ReadBox> =>
  withArchive(deps, (archived) => readWholeBox(deps.db, boxID, market, archived))

/**
 * Reads a box as its records say, each `txHash` being ours, null while pending, with the figures of its projection.
 * @throws ShopError `box.not_found`; RowsDropped
 */
export async function readWholeBox(
  db: Db,
  boxID: string,
  market: Market,
  archived?: Archived,
): Promise<ReadBox> {
  const read = await readBox(db, boxID, 0, archived)
  return composed(db, read, await anchorsOfBox(db, boxID), market)
}

/**
 * As `wholeBox` of each box, in its order. Those of few records are read together: reading twenty takes as many statements
 * as reading one. @throws ShopError `box.not_found`
 */
export async function* wholeBoxes(
  deps: HistoryDeps,
  boxIDs: readonly string[],
  market: Market,
): AsyncGenerator<ReadBox> {
  const { db } = deps
  const small = await readSmallBoxes(db, boxIDs)
  const anchorsOf = Map.groupBy(await anchorsOfBoxes(db, [...small.keys()]), ({ boxId }) => boxId)
  for (const boxID of boxIDs) {
    const read = small.get(boxID)
    yield read === undefined
      ? await wholeBox(deps, boxID, market)
      : await composed(db, read, anchorsOf.get(boxID) ?? [], market)
    await yieldToEventLoop()
  }
}

async function composed(
  db: Db,
  { box: row, rows: kept }: Awaited<ReturnType<typeof readBox>>,
  covering: readonly BoxAnchor[],
  market: Market,
): Promise<ReadBox> {
  const rows = kept.map((row) => ({ ...row, record: readableRecord(row) }))
  const readable = rows.flatMap(({ record }) => record ?? [])
  const isWhole = rows.length === row.count // else records came since the row was read, or it is damaged
  const stored = isWhole ? storedProjection(row, market) : undefined
  const projection = stored ?? projectionOf(row, await stateOf(readable, market))
  if (stored === undefined && isWhole) await saveProjection(db, row, projection)
  const { figures, sensor } = projection
  const txHashOf = (seq: number): string | null => anchorOfRecord(covering, seq)?.anchor.txHash ?? null
  const box = boxOfRecords(row.id, readable, market.timeZone, txHashOf, () => sensor)
  return { box, figures, row, rows, covering }
}

const { count, head, sealed, path, before } = anchorLeaves
const leaf = { count, head, sealed }

/** One confirmed anchor at which a box has grown, with the box's leaf in it. */
type BoxAnchor = Awaited<ReturnType<typeof anchorsOfBox>>[number]

/** The same with the leaf's way up to the root, and the proof of the state before. */
export type ProvenAnchor = Awaited<ReturnType<typeof provenAnchorsOfBox>>[number]

/** Every confirmed anchor at which this box has grown, oldest first. */
export const anchorsOfBox = (db: Db, boxID: string) =>
  db
    .select({ anchor, leaf })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(anchors.index, anchorLeaves.anchorIndex))
    .where(isOf(boxID))
    .orderBy(asc(anchorLeaves.anchorIndex))

/** `anchorsOfBox` of several, each with the id of its box. */
const anchorsOfBoxes = (db: Db, boxIDs: readonly string[]) =>
  db
    .select({ boxId: anchorLeaves.boxId, anchor, leaf })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(anchors.index, anchorLeaves.anchorIndex))
    .where(and(inArray(anchorLeaves.boxId, [...boxIDs]), eq(anchors.state, 'confirmed')))
    .orderBy(asc(anchorLeaves.anchorIndex))

/** `anchorsOfBox` with the proofs, which are as much text as a record each; only those after the index `after`. */
export const provenAnchorsOfBox = (db: Db | Tx, boxID: string, after: number) =>
  db
    .select({ anchor, leaf: { ...leaf, path, before } })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(anchors.index, anchorLeaves.anchorIndex))
    .where(and(isOf(boxID), gt(anchorLeaves.anchorIndex, after)))
    .orderBy(asc(anchorLeaves.anchorIndex))

const isOf = (boxID: string) => and(eq(anchorLeaves.boxId, boxID), eq(anchors.state, 'confirmed'))

/** The first anchor that has the record at `seq`: its transaction is the record's. Source: protocol §4. */
export const anchorOfRecord = (covering: readonly BoxAnchor[], seq: number): BoxAnchor | undefined =>
  covering.find(({ leaf }) => leaf.count >= seq)
