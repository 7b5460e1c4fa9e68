import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ShopError } from '@befaqt/domain/errors'

const PREFIX = 'befaqt-form-'
/** No request lasts nearly so long. */
const LEFT_BEHIND_MS = 24 * 60 * 60_000

/** A folder for what one request uploads, until it is disposed. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), PREFIX))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/**
 * Removes the temporary folders that a process which was stopped in the middle of an upload left behind: a day old, so
 * that none is in use. Those of other users of the machine stay.
 */
export async function sweepTemporaryFolders(now: Date, folder = tmpdir()): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || now.getTime() - found.mtimeMs < LEFT_BEHIND_MS) continue
    await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * Writes a body to disk, never into memory.
 * @throws ShopError `input.too_large` for more than `most` bytes, with `message`
 */
export async function receiveBody(
  body: Readable,
  path: string,
  most: number,
  message: string,
): Promise<void> {
  let bytes = 0
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > most) throw new ShopError('input.too_large', message)
      yield chunk
    }
  }
  await pipeline(body, counted, createWriteStream(path))
}
