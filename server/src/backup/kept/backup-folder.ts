import { open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BACKUP_NAME,
  BackupProgress,
  FailedBackup,
  type KeptBackup,
  MAX_BACKUPS_LISTED,
  MadeBackup,
} from '@befaqt/domain/backup'
import type { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import { isLocked } from '#server/db/directory-lock.ts'
import { isEncrypted } from '../frames.ts'

/*
 * The folder of backups is all that there is of their state: processes on several machines may share it, and what was
 * killed leaves nothing that anybody has to tidy up in a database.
 *
 * NAME.backup           a whole one, and nothing else ever has this name
 * NAME.backup.json      what was counted while it was made
 * NAME.backup.….partial while it is made, by whoever holds the folder's lock; else left behind
 * making.json           how far that is
 * stop                  somebody wants it stopped
 * failed.json           why the last one did not come to be
 */

const [MAKING, STOP, FAILED] = ['making.json', 'stop', 'failed.json']

/** Where backups of the desk go, and whence the worker takes the newest for its drill. */
export const backupFolder = ({ BACKUP_DIR, DATA_DIR }: Pick<Config, 'BACKUP_DIR' | 'DATA_DIR'>): string =>
  BACKUP_DIR ?? join(DATA_DIR, 'backups')

/** Name of a backup that is begun now: its time in UTC, so that names are in the order of time. */
export const backupNameAt = (now: Date): string =>
  `${now.toISOString().slice(0, 19).replaceAll(':', '')}.backup`

/** What is in a folder of backups; one that is not there yet is empty. */
export async function readBackupFolder(folder: string): Promise<{
  backups: KeptBackup[]
  more: number
  making: BackupProgress | null
  failed: FailedBackup | null
  freeBytes: number | null
}> {
  // First of all: one that ends meanwhile is then in the list with what was counted
  const making = isLocked(folder) === false ? undefined : await said(join(folder, MAKING), BackupProgress)
  const names = await readdir(folder).catch((): string[] => [])
  const found: { name: string; bytes: number; at: Date }[] = []
  for (const name of names.filter((one) => BACKUP_NAME.test(one))) {
    const file = await stat(join(folder, name)).catch(() => undefined) // removed meanwhile
    if (file?.isFile()) found.push({ name, bytes: file.size, at: file.mtime })
  }
  found.sort((a, b) => b.at.getTime() - a.at.getTime())
  const backups: KeptBackup[] = []
  for (const { name, bytes, at } of found.slice(0, MAX_BACKUPS_LISTED)) {
    const path = join(folder, name)
    const made = (await said(`${path}.json`, MadeBackup)) ?? null
    backups.push({ name, bytes, at: at.toISOString(), encrypted: await isEncrypted(path), made })
  }
  return {
    backups,
    more: Math.max(0, found.length - MAX_BACKUPS_LISTED),
    making: making ?? null,
    failed: (await said(join(folder, FAILED), FailedBackup)) ?? null,
    freeBytes: await freeBytes(folder),
  }
}

/** Of the file system, or of that where the folder would be made. */
async function freeBytes(folder: string): Promise<number | null> {
  const found = await statfs(folder)
    .catch(() => statfs(join(folder, '..')))
    .catch(() => undefined)
  return found === undefined ? null : found.bavail * found.bsize
}

/** What a small file of the folder says; undefined: nothing, or not what this version understands. */
async function said<Said>(path: string, schema: z.ZodType<Said>): Promise<Said | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Writes a small file, whole or not at all. */
async function say(path: string, what: object, sync: boolean): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(what))
    if (sync) await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}

export const sayProgress = (folder: string, progress: BackupProgress): Promise<void> =>
  say(join(folder, MAKING), progress, false)
export const sayMade = (folder: string, name: string, made: MadeBackup): Promise<void> =>
  say(join(folder, `${name}.json`), made, true)
export const sayFailed = (folder: string, failed: FailedBackup): Promise<void> =>
  say(join(folder, FAILED), failed, false)

/** Asks whoever makes one in this folder to stop, on whichever machine that is. */
export const askToStop = (folder: string): Promise<void> => writeFile(join(folder, STOP), '')
export const isToStop = (folder: string): Promise<boolean> =>
  stat(join(folder, STOP)).then(
    () => true,
    () => false,
  )

/** Removes what is left of a backup that was not finished; for whoever holds the folder's lock. */
export async function sweepBackupFolder(folder: string): Promise<void> {
  const names = await readdir(folder)
  const whole = new Set(names.filter((name) => BACKUP_NAME.test(name)))
  const isLeft = (name: string): boolean =>
    name === MAKING ||
    name === STOP ||
    name.endsWith('.new') ||
    /\.backup\.[0-9a-f]{8}\.partial$/.test(name) ||
    (name.endsWith('.backup.json') && !whole.has(name.slice(0, -'.json'.length)))
  // What says that one is being made goes last: whoever then reads that none is finds nothing else of it
  const left = names.filter((name) => isLeft(name) && name !== MAKING)
  for (const name of [...left, MAKING]) await rm(join(folder, name), { force: true })
}

/** Forgets why the last one failed. */
export const forgetFailure = (folder: string): Promise<void> => rm(join(folder, FAILED), { force: true })

/** Removes a backup and what is noted of it. Was there one? */
export async function removeBackup(folder: string, name: string): Promise<boolean> {
  const path = join(folder, name)
  if (
    !(await stat(path).then(
      (file) => file.isFile(),
      () => false,
    ))
  )
    return false
  await rm(path)
  await rm(`${path}.json`, { force: true })
  return true
}
