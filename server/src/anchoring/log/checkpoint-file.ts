import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where the newest signed checkpoint of each log is kept beside an embedded database. */
export const CHECKPOINT_FILE = 'anchor-log.checkpoint'
export const BUILDS_CHECKPOINT_FILE = 'builds-log.checkpoint'

/** What has to be there before a checkpoint is shown, whatever is lost after that. */
export type CheckpointFile = {
  /** The newest; undefined: none was written. */
  read(): Promise<string | undefined>
  /** Resolves when it is on the disk. */
  write(note: string): Promise<void>
}

/**
 * The newest checkpoint in a file: the embedded database does not call fsync, so after a power cut it may have forgotten
 * what it signed.
 */
export function checkpointFile(dataDir: string, name: string = CHECKPOINT_FILE): CheckpointFile {
  const path = join(dataDir, name)
  return {
    read: () =>
      readFile(path, 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }),
    async write(note) {
      const draft = `${path}.new`
      const file = await open(draft, 'w', 0o600)
      try {
        await file.writeFile(note)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
      await syncFolder(dirname(path))
    },
  }
}

/** A new name is in its folder, which has to reach the disk too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
