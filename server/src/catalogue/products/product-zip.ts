import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { ShopError } from '@befaqt/domain/errors'
import { fileTooLarge, MAX_FILE_BYTES, MAX_ZIP_PICTURES } from '@befaqt/domain/upload-limits'
import { type Entry, openPromise, type ZipFile } from 'yauzl'

/** A product file and the pictures that came with it, by `pictureKey`. */
export type ProductZip = Disposable & {
  csv: Uint8Array
  pictures: ReadonlyMap<string, { name: string; entry: Entry }>
  /** Unpacks a picture to a file, which the next one replaces. Undefined: it is damaged. */
  unpack(key: string): Promise<string | undefined>
}

/** Entries of any kind: a Mac adds one of its own to each picture. */
const MAX_ENTRIES = 2 * MAX_ZIP_PICTURES + 100
const MEGABYTE = 1024 * 1024
/** All that is in it, unpacked. Pictures hardly get smaller by packing. */
const MAX_UNPACKED = 400 * MEGABYTE
/** How many times as large as it is packed something may be, from `MEGABYTE` on. Text is packed to a twentieth. */
const MAX_RATIO = 200

/** What a file in it is known by: computers differ in how they write accents, and people in capitals. */
export const pictureKey = (name: string): string => name.normalize('NFC').toLowerCase()

const refused = (message: string, cause?: unknown): ShopError =>
  new ShopError('input.invalid', message, { cause })
const tooLarge = (message: string): ShopError => new ShopError('input.too_large', message)

/**
 * Opens a ZIP with one CSV file and pictures, in folders or not. Its table of contents is checked before anything is
 * unpacked; no name in it becomes a path on this machine.
 * @param folder where pictures are unpacked to
 * @throws ShopError `input.invalid`, `input.too_large`
 */
export async function openProductZip(path: string, folder: string): Promise<ProductZip> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch((cause) => {
    throw refused('The file is not a ZIP, or it is damaged.', cause)
  })
  try {
    const { csv, pictures } = await contentsOf(zip)
    const unpacked = join(folder, 'picture')
    const unpack = async (key: string): Promise<string | undefined> => {
      const found = pictures.get(key)
      return found && (await unpackTo(zip, found.entry, unpacked)) ? unpacked : undefined
    }
    return { csv: await bytesOf(zip, csv), pictures, unpack, [Symbol.dispose]: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

async function contentsOf(zip: ZipFile): Promise<{ csv: Entry; pictures: ProductZip['pictures'] }> {
  if (zip.entryCount > MAX_ENTRIES) throw tooMany(zip.entryCount)
  const lists: Entry[] = []
  const pictures = new Map<string, { name: string; entry: Entry }>()
  let unpacked = 0
  for (const entry of await entriesOf(zip)) {
    const name = entry.fileName.slice(entry.fileName.lastIndexOf('/') + 1)
    if (isOfSystem(entry.fileName, name)) continue
    assertSound(entry, name)
    unpacked += entry.uncompressedSize
    if (unpacked > MAX_UNPACKED)
      throw tooLarge(`The ZIP unpacks to more than ${MAX_UNPACKED / MEGABYTE} MB. Make several of it.`)
    if (/\.csv$/i.test(name)) {
      lists.push(entry)
      continue
    }
    const key = pictureKey(name)
    if (pictures.has(key))
      throw refused(`“${shown(name)}” is in the ZIP twice. Give each picture its own name.`)
    pictures.set(key, { name, entry })
  }
  if (pictures.size > MAX_ZIP_PICTURES) throw tooMany(pictures.size)
  const [csv] = lists
  if (csv === undefined) throw refused('There is no CSV file in the ZIP.')
  if (lists.length > 1) throw refused(`There are ${lists.length} CSV files in the ZIP: one is needed.`)
  return { csv, pictures }
}

const tooMany = (count: number): ShopError =>
  tooLarge(
    `${count.toLocaleString('en-AU')} files are too many: a ZIP may have at most ${MAX_ZIP_PICTURES} pictures. Make several of it.`,
  )

const shown = (name: string): string => name.slice(0, 80)

/** The table of contents. @throws ShopError for a name that leads out of the ZIP */
async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry)
  } catch (cause) {
    const path = /^(?:invalid characters in fileName|absolute path|invalid relative path): (.*)$/s.exec(
      cause instanceof Error ? cause.message : '',
    )?.[1]
    throw refused(
      path === undefined
        ? 'The file is not a ZIP, or it is damaged.'
        : `“${shown(path)}” in the ZIP is not the name of a file but leads out of it.`,
      cause,
    )
  }
  return entries
}

/** Folders, and what file managers leave in them. */
const isOfSystem = (path: string, name: string): boolean =>
  name === '' ||
  name.startsWith('.') ||
  path.startsWith('__MACOSX/') ||
  /^(thumbs\.db|desktop\.ini)$/i.test(name)

const KIND = 0o170_000
const LINK = 0o120_000

/** @throws ShopError for what is not a plain file of a usual size */
function assertSound(entry: Entry, name: string): void {
  const { compressedSize, uncompressedSize, externalFileAttributes } = entry
  if (entry.isEncrypted())
    throw refused(`“${shown(name)}” in the ZIP is encrypted. Pack it without a password.`)
  if (((externalFileAttributes >>> 16) & KIND) === LINK)
    throw refused(`“${shown(name)}” in the ZIP is a link, not a file.`)
  if (!entry.canDecodeFileData())
    throw refused(`“${shown(name)}” is packed in a way that is not read here. Pack it as a plain ZIP.`)
  if (uncompressedSize > MAX_FILE_BYTES) throw tooLarge(fileTooLarge(`“${shown(name)}” in the ZIP`))
  if (uncompressedSize > MEGABYTE && uncompressedSize > compressedSize * MAX_RATIO)
    throw tooLarge(`“${shown(name)}” in the ZIP unpacks to more than ${MAX_RATIO} times its size.`)
}

/** The bytes of the CSV file. What it says of its size is held to, as of all entries. */
async function bytesOf(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  try {
    const bytes = await buffer(await zip.openReadStreamPromise(entry))
    if (crc32(bytes) === entry.crc32) return bytes
  } catch (cause) {
    throw refused('The CSV file in the ZIP is damaged.', cause)
  }
  throw refused('The CSV file in the ZIP is damaged.')
}

/** @returns false for an entry that is damaged, or larger than it says */
async function unpackTo(zip: ZipFile, entry: Entry, path: string): Promise<boolean> {
  const stream = await zip.openReadStreamPromise(entry).catch(() => undefined)
  if (stream === undefined) return false
  let sum = 0
  const summed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      sum = crc32(chunk, sum)
      yield chunk
    }
  }
  try {
    await pipeline(stream, summed, createWriteStream(path))
    return sum === entry.crc32
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error // the disk's fault, not the file's
    return false
  }
}
