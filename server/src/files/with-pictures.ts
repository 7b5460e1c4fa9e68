import type { Tx } from '#server/db/client.ts'
import type { KeptPicture } from '#server/images/port.ts'
import { dropUnnamed, type PutFile, pathOf, type StoringFiles } from './keep-file.ts'
import { keepPicture, putPicture, type StoredPicture } from './store-picture.ts'

/** Writes the rows of the stored pictures, in the transaction of those that name them, and answers them in their order. */
export type KeepPictures = (tx: Tx) => Promise<StoredPicture[]>

/**
 * Stores the pictures, then runs `work`, which opens a transaction and calls `keep` first in it. When anything fails
 * nothing of them stays, neither rows nor files, unless somebody else has the same picture.
 * @throws ShopError `unavailable` when the file store does not take them; what `work` throws
 */
export async function withPictures<Made>(
  deps: StoringFiles,
  taken: readonly KeptPicture[],
  work: (keep: KeepPictures) => Promise<Made>,
): Promise<Made> {
  const put = new Map<string, PutFile>()
  try {
    for (const [path, picture] of byPath(taken)) put.set(path, await putPicture(deps, picture))
    return await work(async (tx) => {
      const stored = new Map<string, StoredPicture>()
      for (const [path, file] of put) stored.set(path, await keepPicture(tx, file))
      const pictures = taken.map((picture) => stored.get(pathOf({ ...picture, extension: 'webp' })))
      return pictures.filter((picture) => picture !== undefined)
    })
  } finally {
    await dropUnnamed(deps.db, deps.files, [...put.values()])
  }
}

/** In the order of their paths, each once: so that two who store the same pictures wait for each other in one order. */
const byPath = (taken: readonly KeptPicture[]): [path: string, picture: KeptPicture][] =>
  [...new Map(taken.map((picture) => [pathOf({ ...picture, extension: 'webp' }), picture]))].sort(
    ([a], [b]) => (a < b ? -1 : 1),
  )
