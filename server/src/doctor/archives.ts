import pino from 'pino'
import { archivesToLookAt, isWhole } from '#server/boxes/index.ts'
import type { Tx } from '#server/db/client.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { fault, ok, type Said } from './finding.ts'

/** Files that are read: those that a process of the shop missed, and the newest. `--deep` reads all, as `files`. */
const MAX_READ = 25

type Asked = Awaited<ReturnType<typeof archivesAsked>>

/** Which files of sealed boxes to look at, and of which boxes they hold what no row holds any more. */
export const archivesAsked = async (tx: Tx) => archivesToLookAt(tx, MAX_READ)

/** Files of sealed boxes that are not in the store as they were written; one that is back is not told of. */
export async function sayArchives(asked: Asked, store: FileStore, signal: AbortSignal): Promise<Said[]> {
  const reading = { files: store, log: pino({ level: 'silent' }) }
  const said: Said[] = []
  let read = 0
  for (const archive of asked) {
    if (signal.aborted) break
    read += 1
    if (await isWhole(reading, archive)) continue
    const { boxId, objectKey, isDropped } = archive
    said.push(
      fault(
        `The file of box ${boxId} is missing or damaged: ${objectKey}`,
        isDropped
          ? 'Put it back under that name from a backup: rows of the box are in it alone, and its page and proof answer 503 until then.'
          : `Put it back under that name from a backup, or have it written anew: npm run -s befaqt -- archive --remove ${boxId}, and the next night does it.`,
      ),
    )
  }
  return said.length > 0 ? said : [ok(`Of files of sealed boxes ${read} were read, each as it was written.`)]
}
