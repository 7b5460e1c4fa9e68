import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { access, link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isStorageFull } from '#server/http/errors.ts'
import { BackupRefused } from './frames.ts'
import { syncFolder } from './target.ts'

/**
 * Writes a backup to `path`, which is there when all of it is on the disk, and not before: what is interrupted leaves a
 * `.partial` file at most. Returns its size.
 * @throws BackupRefused when there is a file of this name already, or it can't be written
 */
export async function writeBackup(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  if (await isThere(path)) throw exists(path)
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const file = await open(partial, 'wx', 0o600).catch((error: unknown) => {
    throw inWords(error, path)
  })
  let size = 0
  try {
    try {
      for await (const chunk of bytes) {
        signal?.throwIfAborted()
        for (let rest = chunk; rest.length > 0; ) {
          const { bytesWritten } = await file.write(rest).catch((error: unknown) => {
            throw inWords(error, path)
          })
          rest = rest.subarray(bytesWritten)
        }
        size += chunk.length
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await giveName(partial, path)
    await syncFolder(dirname(path))
  } finally {
    await rm(partial, { force: true })
  }
  return size
}

/** Never over a file that came meanwhile, where the file system has links. */
async function giveName(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw exists(path)
    await rename(partial, path)
  }
}

/** Writes a backup to a stream, as fast as that takes it. Returns its size. */
export async function streamBackup(
  stream: NodeJS.WritableStream,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (!stream.write(chunk)) await once(stream, 'drain')
  }
  return size
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const exists = (path: string): BackupRefused =>
  new BackupRefused(`${path} is there already, and a backup is never written over a file. Name another.`)

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : codeOf(error.cause)) : ''

/** Numbers of the errors that PGlite's file system throws, which are no Error. Source: WASI, errno. */
const [NOSPC, ROFS] = [51, 69]
const isPgliteError = (error: unknown, number: number): boolean =>
  typeof error === 'object' && error !== null && 'errno' in error && error.errno === number

/** What the system says of a place that can't be written, in a sentence; other errors as they are. */
export function inWords(error: unknown, place: string): unknown {
  if (isStorageFull(error) || isPgliteError(error, NOSPC))
    return new BackupRefused(
      `The disk is full: ${place} could not be written whole, and nothing of it is left.`,
    )
  if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)) || isPgliteError(error, ROFS))
    return new BackupRefused(`${place} can't be written: its folder is read-only, or another user's.`)
  if (codeOf(error) === 'ENOENT')
    return new BackupRefused(`${place} can't be written: its folder is not there.`)
  return error
}
