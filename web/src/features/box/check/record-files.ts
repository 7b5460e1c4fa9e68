import type { Box } from '@befaqt/domain/box'
import { hexOf } from '@befaqt/provenance/digest'
import { sha256 } from '@befaqt/provenance/sha256'
import { fileUrl } from '#web/api/file-url.ts'

/** A file that a record names: its very bytes, other bytes than its name says, or bytes that could not be had. */
export type FileFound = { href: string } & (
  | { state: 'same'; blob: Blob }
  | { state: 'differs' }
  | { state: 'unread' }
)

/** Asks for the bytes of an address, at most so many. Rejects when they can't be had, or are more. */
export type GetBytes = (href: string, most: number, signal: AbortSignal) => Promise<Blob>

const MAX_FILES = 40
const MAX_FILE_BYTES = 4 * 1024 * 1024
const MAX_ALL_BYTES = 32 * 1024 * 1024
/** For all of them. */
const TIMEOUT_MS = 30_000

/** A file is named by the first half of the SHA-256 of its bytes, in hex. */
const NAMED_BY_CONTENT = /\/([0-9a-f]{32})\.[a-z0-9]{1,5}$/

/** Files here that the records of a box name by their content, each once; others can't be compared. */
export function namedFiles({
  catchProv,
  imageProc,
  e_nose,
}: Pick<Box, 'catchProv' | 'imageProc' | 'e_nose'>): string[] {
  const named = [
    catchProv?.img,
    ...imageProc.flatMap(({ resultPerImage = [] }) => resultPerImage.map(({ image }) => image)),
    ...e_nose.flatMap(({ resultPerTest = [] }) => resultPerTest.map(({ sensingData }) => sensingData)),
  ]
  const found = named.map(recordFile).flatMap((file) => (file.kind === 'ours' ? [file.href] : []))
  return [...new Set(found)].filter((href) => NAMED_BY_CONTENT.test(href)).slice(0, MAX_FILES)
}

/** Fetches files one after the other and compares each with its name. Never rejects. Source: protocol §6.8. */
export async function checkFiles(hrefs: readonly string[], get: GetBytes): Promise<FileFound[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const found: FileFound[] = []
  let left = MAX_ALL_BYTES
  for (const href of hrefs.slice(0, MAX_FILES)) {
    const file = await checkFile(href, Math.min(left, MAX_FILE_BYTES), get, signal)
    left -= file.state === 'same' ? file.blob.size : 0
    found.push(file)
  }
  return found
}

async function checkFile(href: string, most: number, get: GetBytes, signal: AbortSignal): Promise<FileFound> {
  const [, name] = NAMED_BY_CONTENT.exec(href) ?? []
  try {
    const blob = await get(href, most, signal)
    const digest = hexOf(sha256(new Uint8Array(await blob.arrayBuffer())))
    return digest.slice(0, 32) === name ? { href, state: 'same', blob } : { href, state: 'differs' }
  } catch {
    return { href, state: 'unread' }
  }
}

/** The bytes that the shop serves for an address. @throws when there are none, or more than `most` */
export async function getBytes(href: string, most: number, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(href, { signal })
  const reader = answer.ok ? answer.body?.getReader() : undefined
  if (reader === undefined) throw new Error(`${href} answered with status ${answer.status}`)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let part = await reader.read(); part.value; part = await reader.read()) {
    bytes += part.value.byteLength
    if (bytes > most) {
      await reader.cancel()
      throw new Error(`${href} is larger than is compared`)
    }
    parts.push(part.value)
  }
  return new Blob(parts, { type: answer.headers.get('content-type') ?? '' })
}

/** Where an image or file named in a record may be found. Source: records are anyone's words, never to be trusted. */
type RecordFile = { kind: 'ours'; href: string } | { kind: 'elsewhere'; href: string } | { kind: 'none' }

const FILES = fileUrl('')
const none: RecordFile = { kind: 'none' }

/**
 * Judges a URL out of a record: a path of a file here, bare or under its URL, is ours to show; an absolute
 * http(s) URL is a link to elsewhere; anything else (scripts, data, other paths) is nothing.
 */
export function recordFile(url: string | null | undefined): RecordFile {
  if (!url) return none
  if (/^https?:\/\//i.test(url))
    return URL.canParse(url) ? { kind: 'elsewhere', href: new URL(url).href } : none
  const path = url.startsWith(FILES) ? url : FILES + url
  if (/^[/\\]/.test(url) && path !== url) return none
  const { host, pathname } = new URL(path, 'https://here.invalid')
  const isOurs = host === 'here.invalid' && pathname.startsWith(FILES) && !/%2e%2e|%2f|%5c|[:\\]/i.test(path)
  return isOurs ? { kind: 'ours', href: pathname } : none
}
