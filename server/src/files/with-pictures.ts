import type { Tx } from '#server/db/client.ts'
import type { Deps } from '#server/deps.ts'
import type { KeptPicture } from '#server/pictures/port.ts'
import { enqueueUnused, removeUnused } from './remove-unused.ts'
import { picturePath, type StoredPicture, storePicture } from './store-picture.ts'

/** A process that dies between storing a file and its row leaves the file behind: it is looked for after this. */
const LOOK_AFTER_MS = 15 * 60_000

/**
 * Runs `work` in one transaction, handing it the pictures stored. When it fails nothing of them stays, neither
 * rows nor files, unless somebody else has the same picture.
 */
export async function withPictures<Made>(
  deps: Pick<Deps, 'db' | 'files' | 'now'>,
  taken: readonly KeptPicture[],
  work: (tx: Tx, pictures: StoredPicture[]) => Promise<Made>,
): Promise<Made> {
  const paths = [...new Set(taken.map(({ bytes }) => picturePath(bytes)))].sort()
  await enqueueUnused(deps.db, paths, new Date(deps.now().getTime() + LOOK_AFTER_MS))
  try {
    return await deps.db.transaction(async (tx) => {
      const stored = new Map<string, StoredPicture>()
      for (const path of paths) {
        const picture = taken.find(({ bytes }) => picturePath(bytes) === path)
        if (picture !== undefined) stored.set(path, await storePicture(tx, deps.files, picture))
      }
      const pictures = taken.map(({ bytes }) => stored.get(picturePath(bytes)))
      return work(
        tx,
        pictures.filter((picture) => picture !== undefined),
      )
    })
  } catch (error) {
    for (const path of paths) await removeUnused(deps.db, deps.files, path)
    throw error
  }
}
