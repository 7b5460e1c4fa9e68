import type { Tx } from '#server/db/client.ts'
import type { Deps } from '#server/deps.ts'
import type { KeptPicture } from '#server/images/port.ts'
import { dropUnnamed, type PutFile, pathOf } from './keep-file.ts'
import { keepPicture, putPicture, type StoredPicture } from './store-picture.ts'

/**
 * Stores the pictures, then runs `work` in one transaction with the rows that name them. When anything fails nothing
 * of them stays, neither rows nor files, unless somebody else has the same picture.
 * @throws ShopError `unavailable` when the file store does not take them; what `work` throws
 */
export async function withPictures<Made>(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  taken: readonly KeptPicture[],
  work: (tx: Tx, pictures: StoredPicture[]) => Promise<Made>,
): Promise<Made> {
  const put = new Map<string, PutFile>()
  try {
    for (const [path, picture] of byPath(taken)) put.set(path, await putPicture(deps, picture))
    return await deps.db.transaction(async (tx) => {
      const stored = new Map<string, StoredPicture>()
      for (const [path, file] of put) stored.set(path, await keepPicture(tx, file))
      const pictures = taken.map((picture) => stored.get(pathOf({ ...picture, extension: 'webp' })))
      return work(
        tx,
        pictures.filter((picture) => picture !== undefined),
      )
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
