import { chmod, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'

/** Mode bits of everybody but the owner. */
const OTHERS = 0o077
const FOLDER = 0o700
const FILE = 0o600

/** Has whatever this process and its children make from now on be for its user alone. To be called first. */
export const keepToOwner = (): void => void process.umask(OTHERS)

/**
 * Makes the data folder, or takes one of before away from everybody but its owner, with all that is in it: the
 * database, keys, mails and pictures. What can't be changed (a mounted volume, say) is logged, and the start goes on.
 * Links are left alone.
 * @throws Error with a sentence when the folder can't be made
 */
export async function privateDataDir(dataDir: string, log: Pick<Logger, 'warn'>): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: FOLDER }).catch((cause: unknown) => {
    throw new Error(`Wrong setting. DATA_DIR: the folder ${dataDir} cannot be made.`, { cause })
  })
  try {
    const { mode } = await lstat(dataDir)
    if ((mode & OTHERS) === 0) return // nobody else gets in, and what is made inside is private
    await tighten(dataDir)
    await chmod(dataDir, FOLDER) // last: a start that was cut off before does it all again
  } catch (err) {
    log.warn({ err, dataDir }, 'other users of this machine may read DATA_DIR: its mode could not be changed')
  }
}

/** Takes what is in `folder`, at any depth, away from everybody but its owner. */
export async function tighten(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  await Promise.all(files.map(({ name }) => chmod(join(folder, name), FILE)))
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    await tighten(join(folder, name))
    await chmod(join(folder, name), FOLDER)
  }
}
