import { access, chmod, constants, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { configError } from './listen.ts'

/** Mode bits of group and others. */
const OTHERS = 0o077
const FOLDER = 0o700
const FILE = 0o600

/** Files that this process and its children create from now on are private to its user. Call it first. */
export const restrictUmask = (): void => void process.umask(OTHERS)

/** System errors for a path that is occupied, owned by another user or not writable. */
const ACCESS_ERRORS = new Set(['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'EISDIR', 'ENOTDIR', 'ELOOP'])

/**
 * Runs `work`, which uses `path`: DATA_DIR or something in it.
 * @throws Error that names the setting when access is denied
 */
export async function inDataDir<Made>(path: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work()
  } catch (error) {
    // PGlite's file system throws values that are not an Error.
    if (!(error instanceof Error)) throw configError(`DATA_DIR: ${path} cannot be used`, undefined)
    const isDenied = 'code' in error && ACCESS_ERRORS.has(String(error.code))
    throw isDenied ? configError(`DATA_DIR: ${path} cannot be used: ${error.message}`, error) : error
  }
}

/** Creates the data folder. @throws Error that names the setting when it can't be created, read and written */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: FOLDER }).catch((cause: unknown) => {
    throw configError(`DATA_DIR: the folder ${dataDir} cannot be created`, cause)
  })
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch((cause: unknown) => {
    throw configError(`DATA_DIR: the folder ${dataDir} cannot be read and written by this user`, cause)
  })
}

/**
 * Creates the data folder, or makes an existing one private to its owner with all that is in it: database, keys, emails
 * and images. A mode that can't be changed (on a mounted volume, say) is logged, and the start continues. Symbolic
 * links are skipped.
 * @throws Error that names the setting when the folder can't be created, read and written
 */
export async function privateDataDir(dataDir: string, log: Pick<Logger, 'warn'>): Promise<void> {
  await makeDataDir(dataDir)
  try {
    const { mode } = await lstat(dataDir)
    if ((mode & OTHERS) === 0) return // private already, and so is what was created inside
    await restrictToOwner(dataDir)
    await chmod(dataDir, FOLDER) // last, so that an interrupted start repeats all of it
  } catch (err) {
    log.warn({ err, dataDir }, 'other users of this machine may read DATA_DIR: its mode could not be changed')
  }
}

/** Makes everything in `folder`, at any depth, private to its owner. */
export async function restrictToOwner(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  await Promise.all(files.map(({ name }) => chmod(join(folder, name), FILE)))
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    await restrictToOwner(join(folder, name))
    await chmod(join(folder, name), FOLDER)
  }
}
