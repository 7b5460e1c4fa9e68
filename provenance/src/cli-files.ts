import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { FormatError } from './format-error.ts'

/** npm runs scripts in the project's folder and names the caller's own in INIT_CWD. */
export const pathOf = (file: string): string => resolve(process.env.INIT_CWD ?? '.', file)

/** As much as a proof may have, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024

/** The text of a file, which may be compressed by gzip. @throws FormatError unless UTF-8 */
export async function readText(file: string): Promise<string> {
  const stored = await readFile(pathOf(file))
  const isGzip = stored[0] === 0x1f && stored[1] === 0x8b
  const bytes = isGzip ? gunzipped(stored, file) : stored
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new FormatError('$', 'is not UTF-8 text')
  }
}

/** @throws Error for what is cut off, damaged, or larger than any proof */
function gunzipped(stored: Uint8Array, file: string): Uint8Array {
  try {
    return gunzipSync(stored, { maxOutputLength: MAX_BYTES })
  } catch (cause) {
    throw new Error(`${file} can't be unpacked: it is cut off, damaged or too large.`, { cause })
  }
}
