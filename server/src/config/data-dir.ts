import { access, chmod, constants, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { configError } from './listen.ts'

/** Mode bits of everybody but the owner. */
const OTHERS = 0o077
const FOLDER = 0o700
const FILE = 0o600

/** Has whatever this process and its children make from now on be for its user alone. To be called first. */
export const keepToOwner = (): void => void process.umask(OTHERS)

/** What the system answers where something is in the way, belongs to somebody else or may not be written. */
const REFUSALS = new Set(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'EISDIR', 'ENOTDIR', 'ELOOP'])

/**
 * Does something at `path`, which is DATA_DIR or in it.
 * @throws Error that names the setting in a sentence when the system does not allow it
 */
export async function inDataDir<Made>(path: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work()
  } catch (error) {
    // The file system of PGlite throws what is no Error.
    if (!(error instanceof Error)) throw configError(`DATA_DIR: ${path} cannot be used`, undefined)
    const isRefused = 'code' in error && REFUSALS.has(String(error.code))
    throw isRefused ? configError(`DATA_DIR: ${path} cannot be used: ${error.message}`, error) : error
  }
}

/** Makes the data folder. @throws Error with a sentence when it can't be made, read and written */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: FOLDER }).catch((cause: unknown) => {
    throw configError(`DATA_DIR: the folder ${dataDir} cannot be made`, cause)
  })
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw configError(`DATA_DIR: the folder ${dataDir} cannot be read and written by this user`, cause)
  })
}

/**
 * Makes the data folder, or takes one of before away from everybody but its owner, with all that is in it: the
 * database, keys, mails and pictures. What can't be changed (a mounted volume, say) is logged, and the start goes on.
 * Links are left alone.
 * @throws Error with a sentence when the folder can't be made, read and written
 */
export async function privateDataDir(dataDir: string, log: Pick<Logger, 'warn'>): Promise<void> {
  await makeDataDir(dataDir)
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
