import { HOUR_MS } from '@befaqt/domain/durations'
import { asc, desc, gt, inArray, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { boxArchives } from '#server/db/schema/archives.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { readObject } from '#server/files/objects.ts'
import type { Recurring } from '#server/jobs/recurring.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { type ArchiveRow, sha256Of } from './archive-file.ts'

/*
 * Files of sealed boxes that are gone or damaged are found before somebody asks for the box: each hour a few are read, one
 * box after the other, and from the first again after the last.
 */

/** The queue of looking at files of sealed boxes. */
export const ARCHIVE_LOOK_QUEUE = 'box.archive.look'

/** Each hour, where there may be such files, half past it: not when others begin. */
export const hourlyArchiveLook: Recurring = {
  queue: ARCHIVE_LOOK_QUEUE,
  next: (now) => new Date((Math.floor(now.getTime() / HOUR_MS - 0.5) + 1.5) * HOUR_MS),
}

/** Files that are read in one run, and about how many bytes of them. */
const FILES_PER_RUN = 100
const BYTES_PER_RUN = 64 * 1024 * 1024
/** Most boxes whose files are known to be lost: of more, the next round tells. */
const MAX_LOST = 100

/** Row of `installation`: how far one has looked, and whose file was not there. */
const NAME = 'archives-looked-at'
const State = z.object({ after: z.string().default(''), lost: z.array(z.string()).default([]) })
type ArchivesSeen = z.infer<typeof State>

async function stateIn(db: Db | Tx): Promise<ArchivesSeen> {
  const [found] = await rows<{ value: string }>(db, sql`select value from installation where name = ${NAME}`)
  return State.parse(JSON.parse(found?.value ?? '{}'))
}

export type LookingDeps = { db: Db; files: FileStore; log: Logger }
type Limits = { files: number; bytes: number }

/**
 * The job: reads the files that were lost the last time, then those of the next boxes, and compares each with what was
 * written. Killed, it is as if it had not run.
 * @throws ShopError `unavailable` while the store fails, which says nothing of its files
 */
export const lookAtArchivesJob =
  (deps: LookingDeps, limits: Limits = { files: FILES_PER_RUN, bytes: BYTES_PER_RUN }): JobHandler =>
  async (_payload, signal) => {
    const before = await stateIn(deps.db)
    const again = await archivesOf(deps.db, before.lost)
    const next = await archivesAfter(deps.db, before.after, limits.files)
    const known = new Set(before.lost)
    const lost: string[] = []
    let [read, done] = [0, 0]
    const look = async (archive: ArchiveRow): Promise<void> => {
      signal.throwIfAborted()
      if (!(await isWhole(deps, archive))) lost.push(archive.boxId)
      read += archive.bytes
    }
    for (const archive of again) await look(archive)
    for (const archive of next) {
      if (done > 0 && read + archive.bytes > limits.bytes) break
      if (!known.has(archive.boxId)) await look(archive)
      done += 1
    }
    const isRoundOver = done === next.length && next.length < limits.files
    const after = isRoundOver ? '' : (next[done - 1]?.boxId ?? '')
    await keep(deps.db, { after, lost: lost.slice(0, MAX_LOST) })
  }

const keep = (db: Db, state: ArchivesSeen): Promise<unknown> =>
  rows(
    db,
    sql`insert into installation (name, value) values (${NAME}, ${JSON.stringify(state)})
        on conflict (name) do update set value = excluded.value`,
  )

const columns = {
  boxId: boxArchives.boxId,
  objectKey: boxArchives.objectKey,
  sha256: boxArchives.sha256,
  bytes: boxArchives.bytes,
  /** Are rows of the box in the file alone? */
  isDropped: sql<boolean>`dropped is not null`,
}
type Row = ArchiveRow & { isDropped: boolean }

const archivesOf = (db: Db | Tx, boxIDs: readonly string[]): Promise<Row[]> =>
  boxIDs.length === 0
    ? Promise.resolve([])
    : db
        .select(columns)
        .from(boxArchives)
        .where(inArray(boxArchives.boxId, boxIDs))
        .orderBy(asc(boxArchives.boxId))

const archivesAfter = (db: Db | Tx, boxID: string, limit: number): Promise<Row[]> =>
  db
    .select(columns)
    .from(boxArchives)
    .where(gt(boxArchives.boxId, boxID))
    .orderBy(asc(boxArchives.boxId))
    .limit(limit)

/** Is the file of a box in the store as it was written? */
export async function isWhole(
  deps: Pick<LookingDeps, 'files' | 'log'>,
  { boxId, objectKey, sha256, bytes: size }: ArchiveRow,
): Promise<boolean> {
  const bytes = await readObject(deps, { path: `box ${boxId}`, objectKey, bytes: size })
  return bytes !== undefined && sha256Of(bytes) === sha256
}

/** Rows of boxes whose files were gone or damaged when they were looked at last. */
export const lostArchives = async (db: Db | Tx): Promise<Row[]> => archivesOf(db, (await stateIn(db)).lost)

/** Rows of those that were lost the last time, and of the newest, so many at most: for a look of one's own. */
export async function archivesToLookAt(db: Db | Tx, atMost: number): Promise<Row[]> {
  const known = (await lostArchives(db)).slice(0, atMost)
  const newest = await db
    .select(columns)
    .from(boxArchives)
    .orderBy(desc(boxArchives.createdAt), boxArchives.boxId)
    .limit(atMost)
  const ids = new Set(known.map(({ boxId }) => boxId))
  return [...known, ...newest.filter(({ boxId }) => !ids.has(boxId))].slice(0, atMost)
}
