import { hash } from 'node:crypto'
import { canonicalize, type JsonObject } from '@befaqt/provenance'
import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Archived, type RecordRow, RowsDropped } from '#server/boxes/read-records.ts'
import type { Db } from '#server/db/client.ts'
import { boxArchives, type DroppedRecord } from '#server/db/schema/archives.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { ArchiveLost, readArchivedProof } from './archive-file.ts'

/** What histories are read from: rows, and the files of boxes whose rows were dropped. */
export type HistoryDeps = { db: Db; files: FileStore; log: Logger }

/**
 * Does work that reads the history of a box, and once more with what is in its file, where rows of it were dropped: so
 * the store is asked only then, and never within a transaction.
 * @throws ShopError `unavailable` while the file can't be read, or is not as it was written
 */
export async function withArchive<T>(
  deps: HistoryDeps,
  work: (archived?: Archived) => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RowsDropped)) throw error
    return work(await archivedRecords(deps, error.boxID))
  }
}

/** The records of a box whose rows were dropped, in order; none where they are back meanwhile. */
async function archivedRecords(deps: HistoryDeps, boxID: string): Promise<Archived> {
  const [archive] = await deps.db.select().from(boxArchives).where(eq(boxArchives.boxId, boxID))
  if (archive?.dropped == null) return []
  const found = recordsIn(boxID, await readArchivedProof(deps, archive), archive.dropped)
  if (found === undefined) throw new ArchiveLost(boxID)
  return found
}

/** These records with their texts from a proof of their box; undefined where one has not the hash that the database knows. */
export function recordsIn(
  boxID: string,
  proof: string,
  known: readonly Pick<DroppedRecord, 'seq' | 'kind' | 'recordHash'>[],
): RecordRow[] | undefined {
  const { box, records } = JSON.parse(proof) as { box: string; records: JsonObject[] }
  if (box !== boxID) return undefined
  const found: RecordRow[] = []
  for (const { seq, kind, recordHash } of known) {
    const record = records[seq - 1]
    const body = record === undefined ? '' : canonicalize(record)
    if (hash('sha256', body) !== recordHash) return undefined
    found.push({ seq, kind, body, recordHash })
  }
  return found
}
