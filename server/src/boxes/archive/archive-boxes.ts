import { DAY_MS } from '@befaqt/domain/durations'
import type { LedgerReader } from '@befaqt/provenance'
import { verifyBundle } from '@befaqt/provenance/verify'
import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type ProofDeps, proofBundle } from '#server/boxes/proof-bundle.ts'
import type { Chain } from '#server/chain/port.ts'
import { verifierLedger } from '#server/chain/verifier-ledger.ts'
import type { Config } from '#server/config/config.ts'
import { type Db, rows } from '#server/db/client.ts'
import { moment } from '#server/db/retention.ts'
import { boxArchives } from '#server/db/schema/archives.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { claimObject, enqueueRemoval, putObject } from '#server/files/objects.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { ARCHIVE_EXTENSION, packProof, sha256Of } from './archive-file.ts'

export const ARCHIVE_QUEUE = 'box.archive'

export type ArchivingDeps = ProofDeps & {
  chain: Chain
  files: FileStore
  config: Pick<Config, 'ARCHIVE_AFTER_DAYS'>
  now: () => Date
  log: Logger
}

/** Boxes that are looked at in one run of the job: others of the upkeep have their turn before the next. */
const BOXES_PER_RUN = 500

const Payload = z.object({ after: z.string().default('') })

/**
 * The job: writes each box that was sealed `ARCHIVE_AFTER_DAYS` ago as one file. Killed at any moment, or run by two
 * processes, it leaves a box with one file or none: what no row names is removed from the store.
 */
export const archiveBoxesJob =
  (deps: ArchivingDeps, atMost = BOXES_PER_RUN): JobHandler =>
  async (payload, signal) => {
    const { ARCHIVE_AFTER_DAYS: days } = deps.config
    const reader = await ledgerOf(deps)
    if (days === undefined || reader === undefined) return
    const { after } = Payload.parse(payload)
    const ids = await sealedBefore(deps.db, new Date(deps.now().getTime() - days * DAY_MS), after, atMost)
    for (const id of ids) {
      signal.throwIfAborted()
      await archiveBox(deps, id, reader)
    }
    const last = ids.at(-1)
    if (last !== undefined && ids.length === atMost)
      await enqueue(deps.db, ARCHIVE_QUEUE, { after: last }, { uniqueKey: 'rest' })
  }

/** The ledger as verifiers read it; undefined: nothing was ever anchored. */
export async function ledgerOf({ chain, ledger }: ArchivingDeps): Promise<LedgerReader | undefined> {
  const { contract } = await ledger.locate()
  return contract === null ? undefined : verifierLedger(chain, contract)
}

/** Boxes after one, in order, whose seal is older than a moment and in a final anchor, and that have no file yet. */
async function sealedBefore(db: Db, before: Date, after: string, limit: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    sql`select b.id from boxes b
        where b.id > ${after} and b.sealed and not b.held_back
          and not exists (select from box_archives a where a.box_id = b.id)
          and exists (select from records r where r.box_id = b.id and r.seq = b.count
            and r.recorded_at <= ${moment(before)})
          and exists (select from anchor_leaves l join anchors a on a.index = l.anchor_index
            where l.box_id = b.id and l.sealed and a.state = 'confirmed')
        order by b.id limit ${limit}`,
  )
  return found.map(({ id }) => id)
}

/**
 * Writes the file of one box, unless its proof does not verify: then the log says why, and there is none.
 * @throws Error while the ledger can't be read; ShopError `unavailable` while the store fails
 */
async function archiveBox(deps: ArchivingDeps, boxID: string, reader: LedgerReader): Promise<void> {
  const proof = await proofBundle(deps, boxID, { log: true, scales: true })
  const { verdict, words } = await verifyBundle(JSON.parse(proof), reader, { box: boxID })
  if (verdict === 'unreachable') throw new Error(`box ${boxID} can't be verified now: ${words}`)
  if (verdict !== 'verified')
    return deps.log.error({ box: boxID, verdict, words }, 'a sealed box is not archived: it does not verify')
  const bytes = await packProof(proof)
  const objectKey = await putObject(deps.db, deps.files, { bytes, extension: ARCHIVE_EXTENSION })
  const row = { boxId: boxID, objectKey, sha256: sha256Of(bytes), bytes: bytes.length }
  await deps.db.transaction(async (tx) => {
    await claimObject(tx, objectKey)
    const records = sql<number>`(select count from boxes where id = ${boxID})`
    const kept = await tx
      .insert(boxArchives)
      .values({ ...row, records })
      .onConflictDoNothing()
      .returning()
    if (kept.length === 0) await enqueueRemoval(tx, objectKey) // another process was first
  })
}
