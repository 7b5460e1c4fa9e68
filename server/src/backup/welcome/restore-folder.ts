import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rm, statfs, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ShopError } from '@befaqt/domain/errors'
import type { Upload } from '@befaqt/domain/restore'
import { PART_BYTES } from '@befaqt/domain/restore-parts'
import { z } from 'zod'
import { newToken, sameSecret } from '#server/accounts/index.ts'
import { acquireLock } from '#server/db/directory-lock.ts'
import { isStorageFull } from '#server/http/errors.ts'
import { BackupRefused, encryptionOf } from '../frames.ts'
import { GOING, said, say, settledState } from './restore-state.ts'

/*
 * DATA_DIR/restore is all that there is of a restore's state, since a restore replaces the database:
 *
 * place              by which this folder is told from another's
 * upload.json        which file is being sent, how much of it is on the disk, and by whom
 * upload.part        its bytes
 * state.json         how far a restore is, or how the last one ended, and who began it: see restore-state.ts
 * turn/              locked by the process of the shop whose turn it is to restore
 * shop/, switch.json, before/   see switch-shops.ts
 *
 * Whoever changes something holds the folder's lock, which the kernel ends with its process.
 */
const [PLACE, UPLOAD, PART] = ['place', 'upload.json', 'upload.part']

/** Where a bare shop keeps what it is to be restored from. */
export const restoreFolder = ({ DATA_DIR }: { DATA_DIR: string }): string => join(DATA_DIR, 'restore')

/** Where the file that was sent is. */
export const uploadedFile = (folder: string): string => join(folder, PART)

/** Another tab may go on with a file after so long without a part. */
const QUIET_MS = 20_000
/** What has to stay free on the disk. */
const RESERVE_BYTES = 64 * 1024 * 1024

const Sent = z.object({
  id: z.string(),
  name: z.string(),
  bytes: z.int(),
  received: z.int(),
  encrypted: z.boolean(),
  /** SHA-256 of what the tab is recognized by, and when it sent something last. */
  tab: z.string(),
  at: z.number(),
})
type Sent = z.infer<typeof Sent>

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const BUSY = 'The shop is busy with this file: another tab sends it, or it is being read. Wait a moment.'

/**
 * Runs `work` while nobody else changes anything in the folder, which it makes.
 * @throws ShopError `conflict` when somebody does, or the backup is about to be restored
 */
export async function changing<Made>(folder: string, work: () => Promise<Made>): Promise<Made> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw inWords(error, folder)
  })
  const unlock = await acquireLock(folder).catch((error: unknown) => {
    const words = error instanceof Error ? error.message : ''
    throw /in use by another process/.test(words) ? new ShopError('conflict', BUSY) : inWords(error, folder)
  })
  try {
    if ((await settledState(folder))?.progress) throw new ShopError('conflict', GOING)
    return await work()
  } catch (error) {
    throw inWords(error, folder)
  } finally {
    await unlock()
  }
}

/** What the system says, in words for whoever is at the page. */
function inWords(error: unknown, folder: string): unknown {
  if (isStorageFull(error))
    return new ShopError(
      'insufficient_storage',
      'The disk of the shop is full. Make room on it, then go on: what was sent is kept.',
      { cause: error },
    )
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const words = error instanceof Error ? error.message : ''
  if (['EACCES', 'EPERM', 'EROFS'].includes(code) || /cannot be (written|opened)/.test(words))
    return new ShopError(
      'conflict',
      `${folder} can’t be written: it is read-only, or another user’s. Change that, then try again.`,
      { cause: error },
    )
  return error
}

/** By which this folder is recognized, made when there is none. */
export async function placeOf(folder: string): Promise<string> {
  const path = join(folder, PLACE)
  const found = await readFile(path, 'utf8').catch(() => undefined)
  if (found) return found
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, newToken(), { flag: 'wx', mode: 0o600 })
  } catch {
    // Another process made it, or the folder can't be written, which the upload says.
  }
  return readFile(path, 'utf8').catch(() => 'none')
}

/** Bytes that may still be written there; null: it can't be found out. */
export async function freeBytes(folder: string): Promise<number | null> {
  const found = await statfs(folder)
    .catch(() => statfs(join(folder, '..')))
    .catch(() => undefined)
  return found === undefined ? null : Math.max(0, found.bavail * found.bsize - RESERVE_BYTES)
}

const shown = ({ id, name, bytes, received, encrypted }: Sent): Upload => ({
  ...{ id, name, bytes, received, encrypted },
})

const sentOf = (folder: string): Promise<Sent | undefined> => said(join(folder, UPLOAD), Sent)

/** The file that is being sent, or is there; null: none. */
export async function uploadOf(folder: string): Promise<Upload | null> {
  const sent = await sentOf(folder)
  return sent === undefined ? null : shown(sent)
}

/** @throws ShopError `conflict` when another tab sent something a moment ago */
function assertOurs(sent: Sent, tab: string, now: number): void {
  if (sameSecret(sent.tab, sha256(tab)) || now - sent.at > QUIET_MS) return
  throw new ShopError('conflict', 'Another tab, or somebody else, is sending this file right now.', {
    details: { reason: 'other_tab' },
  })
}

export type Begun = {
  name: string
  bytes: number
  head: Uint8Array
  takeOver: boolean
  tab: string
  now: Date
}

/**
 * Begins an upload, or goes on with that of the same file. One of another file takes the place of the one before.
 * @throws ShopError `input.invalid` when the first bytes are no backup's, `input.too_large`, `insufficient_storage`,
 * `conflict`
 */
export async function beginUpload(folder: string, begun: Begun, maxBytes: number): Promise<Upload> {
  const { name, bytes, head, takeOver, tab, now } = begun
  const encrypted = await encryptionOf(head).catch((error: unknown) => {
    throw error instanceof BackupRefused ? new ShopError('input.invalid', error.message) : error
  })
  if (bytes > maxBytes)
    throw new ShopError(
      'input.too_large',
      `The file has ${bytes} bytes, and RESTORE_MAX_MB allows ${maxBytes}.`,
    )
  const id = sha256(`${bytes} ${sha256(head)}`).slice(0, 32)
  return changing(folder, async () => {
    const sent = await sentOf(folder)
    if (sent !== undefined && !takeOver) assertOurs(sent, tab, now.getTime())
    const received = sent?.id === id ? sent.received : 0
    const free = (await freeBytes(folder)) ?? Number.POSITIVE_INFINITY
    const room = free + (sent?.id === id ? 0 : (sent?.received ?? 0))
    if (bytes - received > room)
      throw new ShopError(
        'insufficient_storage',
        `The disk of the shop has room for ${room} bytes, and ${bytes - received} are to come. Make room on it first.`,
      )
    if (sent?.id !== id) await rm(uploadedFile(folder), { force: true })
    const next = { id, name, bytes, received, encrypted, tab: sha256(tab), at: now.getTime() }
    await say(join(folder, UPLOAD), next)
    return shown(next)
  })
}

const ended = (): ShopError =>
  new ShopError('conflict', 'This file is not the one that is being sent any more. Choose it again.')

/**
 * Writes a part of the file; it is on the disk when this resolves. Of one that is cut off nothing is kept.
 * @throws ShopError `conflict` when it does not begin where the file ends, with how much is there in `received`
 */
export async function appendPart(
  folder: string,
  { id, offset, tab, now }: { id: string; offset: number; tab: string; now: Date },
  body: Readable,
): Promise<Upload> {
  return changing(folder, async () => {
    const sent = await sentOf(folder)
    if (sent === undefined || sent.id !== id) throw ended()
    assertOurs(sent, tab, now.getTime())
    if (offset !== sent.received)
      throw new ShopError('conflict', `The next part begins at ${sent.received}, not at ${offset}.`, {
        details: { reason: 'offset', received: sent.received },
      })
    const path = uploadedFile(folder)
    const most = Math.min(PART_BYTES, sent.bytes - offset)
    const received = offset + (await writeAt(path, offset, body, most))
    const next = { ...sent, received, tab: sha256(tab), at: now.getTime() }
    await say(join(folder, UPLOAD), next)
    return shown(next)
  })
}

/** Writes what comes from `offset` on, onto the disk. Returns how many bytes that were. */
async function writeAt(path: string, offset: number, body: Readable, most: number): Promise<number> {
  const file = await open(path, 'a+', 0o600)
  try {
    await truncate(path, offset) // what an earlier part that was cut off left
    let length = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > most) throw new ShopError('input.too_large', `A part has at most ${most} bytes here.`)
      for (let rest = chunk; rest.length > 0; ) rest = rest.subarray((await file.write(rest)).bytesWritten)
    }
    await file.sync()
    return length
  } catch (error) {
    await truncate(path, offset).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

/** Removes the file that was sent. @throws ShopError `conflict` while it is read, or another tab sends it */
export const removeUpload = (folder: string, tab: string, now: Date): Promise<void> =>
  changing(folder, async () => {
    const sent = await sentOf(folder)
    if (sent !== undefined) assertOurs(sent, tab, now.getTime())
    await forgetUpload(folder)
  })

/** For whoever holds the folder's lock. */
export async function forgetUpload(folder: string): Promise<void> {
  await rm(join(folder, UPLOAD), { force: true })
  await rm(uploadedFile(folder), { force: true })
}

/** @throws ShopError `conflict` unless all of the file is there */
export async function assertWhole(folder: string, id: string): Promise<Upload> {
  const sent = await sentOf(folder)
  if (sent === undefined || sent.id !== id) throw ended()
  if (sent.received < sent.bytes)
    throw new ShopError('conflict', `Only ${sent.received} of ${sent.bytes} bytes of the file are here yet.`)
  return shown(sent)
}
