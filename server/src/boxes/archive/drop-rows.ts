import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { fromHex, genesisHead, headAfter, type LedgerReader, toHex } from '@befaqt/provenance'
import { verifyBundle } from '@befaqt/provenance/verify'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { lockBox } from '#server/boxes/box-access.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { moment } from '#server/db/retention.ts'
import { boxArchives, type DroppedRecord } from '#server/db/schema/archives.ts'
import { records } from '#server/db/schema/boxes.ts'
import { enqueueRemoval } from '#server/files/objects.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { type ArchivingDeps, ledgerOf } from './archive-boxes.ts'
import { ArchiveLost, type ArchiveRow, readArchivedProof } from './archive-file.ts'
import { recordsIn } from './read-archive.ts'

export const DROP_QUEUE = 'box.drop-rows'

export type DroppingDeps = ArchivingDeps & { config: Pick<Config, 'ARCHIVE_DROP_AFTER_DAYS'> }

/** Boxes that are looked at in one run of the job. */
const BOXES_PER_RUN = 200
/** A box with more records keeps its rows: its page would read too large a file each time. */
const MAX_RECORDS = 20_000

const Payload = z.object({ after: z.string().default('') })

/**
 * The job: drops the rows of readings and of freshness, which most rows are, of boxes whose file has been in the store for
 * `ARCHIVE_DROP_AFTER_DAYS`. Each file is read back, verified against the ledger and compared with the rows before that.
 */
export const dropRowsJob =
  (deps: DroppingDeps, atMost = BOXES_PER_RUN): JobHandler =>
  async (payload, signal) => {
    const { ARCHIVE_DROP_AFTER_DAYS: days } = deps.config
    const reader = await ledgerOf(deps)
    if (days === undefined || reader === undefined) return
    const { after } = Payload.parse(payload)
    const due = await dueFor(deps.db, new Date(deps.now().getTime() - days * DAY_MS), after, atMost)
    for (const archive of due) {
      signal.throwIfAborted()
      await dropBox(deps, archive, reader)
    }
    const last = due.at(-1)
    if (last !== undefined && due.length === atMost)
      await enqueue(deps.db, DROP_QUEUE, { after: last.boxId }, { uniqueKey: 'rest' })
  }

/** What was not withheld, and has no part that only the row has. Most rows are of these kinds, and nobody looks for one. */
const droppable = sql`kind in ('tracking', 'freshness') and body is not null and restricted is null`

/** Files of a time, after a box, in order, of boxes that nothing waits for: their excursions are followed to the end. */
const dueFor = (db: Db, before: Date, after: string, limit: number): Promise<ArchiveRow[]> =>
  rows<ArchiveRow>(
    db,
    sql`select a.box_id as "boxId", a.object_key as "objectKey", a.sha256, a.bytes::float8 as bytes
        from box_archives a join boxes b on b.id = a.box_id
        join box_watches w on w.box_id = b.id and w.seq = b.count and w.alterations = b.alterations
          and w.warm_ms is not null
        where a.box_id > ${after} and a.dropped_at is null and a.created_at <= ${moment(before)}
          and not b.held_back and b.count <= ${MAX_RECORDS}
          and not exists (select from watch_queue q where q.box_id = b.id)
          and exists (select from records where box_id = b.id and ${droppable})
        order by a.box_id limit ${limit}`,
  )

/** Drops the rows of one box, or says in the log why not. @throws Error while the ledger or the store can't be read */
async function dropBox(deps: DroppingDeps, archive: ArchiveRow, reader: LedgerReader): Promise<void> {
  const { boxId: box } = archive
  const proof = await verifiedProof(deps, archive, reader).catch(async (error: unknown) => {
    if (!(error instanceof ArchiveLost)) throw error
    // Every row is there still, of which a new file is made.
    deps.log.error({ err: error, box }, 'the file of a box is of no use: it is written anew')
    await removeArchive(deps.db, box)
    return undefined
  })
  if (proof === undefined) return
  const isSame = await deps.db.transaction((tx) => dropIn(tx, archive, proof))
  if (!isSame) deps.log.error({ box }, 'rows of a box are not dropped: they are not what its file proves')
}

/**
 * The proof in a file, read from the store and verified against the ledger at this moment.
 * @throws ArchiveLost, also where it does not verify; Error while the ledger or the store can't be read
 */
async function verifiedProof(
  deps: ArchivingDeps,
  archive: ArchiveRow,
  reader: LedgerReader,
): Promise<string> {
  const { boxId: box } = archive
  const proof = await readArchivedProof(deps, archive)
  const { verdict, words } = await verifyBundle(JSON.parse(proof), reader, { box })
  if (verdict === 'unreachable') throw new Error(`box ${box} can't be verified now: ${words}`)
  if (verdict !== 'verified') throw new ArchiveLost(box)
  return proof
}

/** False where the rows are not those that the file proves: then all of them stay. */
async function dropIn(tx: Tx, { boxId, objectKey }: ArchiveRow, proof: string): Promise<boolean> {
  const box = await lockBox(tx, boxId)
  const isThis = and(
    eq(boxArchives.boxId, boxId),
    eq(boxArchives.objectKey, objectKey),
    isNull(boxArchives.dropped),
  )
  const [held] = await tx
    .select({ records: boxArchives.records })
    .from(boxArchives)
    .where(isThis)
    .for('update')
  if (held === undefined) return true // another process was first
  const found = await rows<DroppedRecord & { body: string }>(
    tx,
    sql`select seq, kind, body, record_hash as "recordHash", dedupe_key as "dedupeKey",
          to_char(recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "recordedAt"
        from records where box_id = ${boxId} and ${droppable} order by seq`,
  )
  const proven = recordsIn(boxId, proof, found)
  const isSame = proven?.every(({ body }, i) => body === found[i]?.body) ?? false
  if (!isSame || found.length === 0 || !box.sealed || box.count !== held.records) return false
  const dropped = found.map(({ body: _, ...known }) => known)
  await tx.update(boxArchives).set({ dropped, droppedAt: sql`now()` }).where(isThis)
  await rows(tx, sql`delete from records where box_id = ${boxId} and ${droppable}`)
  return true
}

/**
 * Brings the rows of a box back from its file, which is verified against the ledger first. Returns how many.
 * @throws ArchiveLost; ShopError `conflict` where they don't make up the box's head; Error while the ledger can't be read
 */
export async function restoreRows(deps: ArchivingDeps, boxID: string): Promise<number> {
  const reader = await ledgerOf(deps)
  const [archive] = await deps.db.select().from(boxArchives).where(eq(boxArchives.boxId, boxID))
  if (reader === undefined || archive?.dropped == null) return 0
  const proof = await verifiedProof(deps, archive, reader)
  return deps.db.transaction(async (tx) => {
    const box = await lockBox(tx, boxID)
    const [held] = await tx.select().from(boxArchives).where(eq(boxArchives.boxId, boxID)).for('update')
    if (held?.dropped == null) return 0
    const texts = recordsIn(boxID, proof, held.dropped)
    if (texts === undefined) throw new ArchiveLost(boxID)
    const restored = held.dropped.map((known, i) => ({ ...known, body: texts[i]?.body }))
    await rows(
      tx,
      sql`insert into records (box_id, seq, kind, body, record_hash, dedupe_key, recorded_at)
          select ${boxID}, seq, kind, body, "recordHash", "dedupeKey", "recordedAt"
          from json_to_recordset(${JSON.stringify(restored)}::json) as r(seq int, kind text, body text,
            "recordHash" text, "dedupeKey" text, "recordedAt" timestamptz)`,
    )
    const hashes = await tx
      .select({ recordHash: records.recordHash })
      .from(records)
      .where(eq(records.boxId, boxID))
      .orderBy(asc(records.seq))
    const head = hashes.reduce(
      (before, { recordHash }) => headAfter(before, fromHex(recordHash)),
      genesisHead(boxID),
    )
    if (toHex(head) !== box.head)
      throw new ShopError('conflict', `The rows of box ${boxID} are not those of its head.`)
    await tx.update(boxArchives).set({ dropped: null, droppedAt: null }).where(eq(boxArchives.boxId, boxID))
    return restored.length
  })
}

/** Forgets the file of a box and has it removed from the store, unless rows were dropped for it. Says whether there was one. */
export const removeArchive = (db: Db, boxID: string): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(boxArchives)
      .where(and(eq(boxArchives.boxId, boxID), isNull(boxArchives.dropped)))
      .returning()
    if (gone !== undefined) await enqueueRemoval(tx, gone.objectKey)
    return gone !== undefined
  })
