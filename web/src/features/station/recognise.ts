import { isSensingText, readSensingData } from '@befaqt/domain/sensing-data'
import { fileTooLarge, MAX_FILE_BYTES } from '@befaqt/domain/upload-limits'
import type { Kind } from './station-form.ts'

/** What was recognised in a file; `isKnown`: false where it is sent as it is. */
export type Recognised = { text: string; isKnown: boolean }

/** Columns that are named; of more it is said how many. */
const SHOWN = 8

/** Looks into a file before it is sent. Returns why it is refused, as a sentence that names it. */
export async function recognise(kind: Kind, file: File): Promise<Recognised | string> {
  if (file.size > MAX_FILE_BYTES) return `${fileTooLarge(file.name)}.`
  return kind === 'image' ? recognisePicture(file) : recogniseData(file)
}

async function recognisePicture(file: File): Promise<Recognised | string> {
  try {
    const { width, height } = await createImageBitmap(file)
    return { text: `${width} × ${height} px, ${sizeText(file.size)}`, isKnown: true }
  } catch {
    return `${file.name} can’t be read as a picture. Use JPEG, PNG or WebP.`
  }
}

async function recogniseData(file: File): Promise<Recognised | string> {
  const text = await decoded(file)
  if (!isSensingText(text)) return `${file.name} is not a text file. Export the measurements as CSV.`
  const data = readSensingData(text)
  if (data === null)
    return { text: 'No table of measurements was recognised. It is kept as it is.', isKnown: false }
  const { columns, rows, seconds } = data
  const named = columns.slice(0, SHOWN).map(({ name, min, max }) => `${name} ${min} to ${max}`)
  const more = columns.length > SHOWN ? [`${columns.length - SHOWN} more`] : []
  const lasting = seconds === null ? '' : ` over ${Math.round(seconds)} s`
  return {
    text: `${rows} ${rows === 1 ? 'measurement' : 'measurements'}${lasting}: ${[...named, ...more].join(', ')}`,
    isKnown: true,
  }
}

/** The text of a file; empty where it is none. */
async function decoded(file: File): Promise<string> {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return ''
  }
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
