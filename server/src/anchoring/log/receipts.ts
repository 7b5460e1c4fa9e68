import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { parseNote } from '@befaqt/provenance/log/note'
import { receiptLine } from '@befaqt/provenance/log/receipt'
import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { qrPath } from '#server/images/qr-path.ts'

/* What buyers take home of the log: its newest state, on emails, papers and labels. Source: witness.md, Receipts. */

/** The newest checkpoint of the log, signed by the shop alone; undefined: none is signed yet. */
export async function newestCheckpoint(
  db: Db | Tx,
): Promise<{ origin: string; size: number; note: string } | undefined> {
  const [newest] = await rows<{ origin: string; size: number; note: string }>(
    db,
    sql`select l.origin, c.size, c.note from anchor_logs l cross join lateral (
          select size, note from log_checkpoints where origin = l.origin order by size desc limit 1) c`,
  )
  return newest
}

/** A receipt: its line, which shows, and the signed note, which proves. */
export type LogReceipt = { line: string; note: string }

/** The receipt of now; undefined: the log is not signed yet, so there is nothing to promise. */
export async function newestReceipt(db: Db | Tx): Promise<LogReceipt | undefined> {
  const newest = await newestCheckpoint(db)
  if (newest === undefined) return undefined
  const { note } = newest
  return { line: receiptLine(parseCheckpoint(parseNote(note).text)), note }
}

/** The note as a code. Papers and labels are read from near by, so the lowest correction does, which makes it smaller. */
export const receiptCode = ({ note }: LogReceipt): ReturnType<typeof qrPath> => qrPath(note, 'L')

/** The line in pieces of at most `length` characters, which its readers put together again. */
export function brokenLine({ line }: LogReceipt, length: number): string[] {
  const pieces: string[] = []
  let open = ''
  for (const word of line.split(' ')) {
    if (open !== '' && open.length + 1 + word.length > length) {
      pieces.push(open)
      open = ''
    }
    open = open === '' ? word : `${open} ${word}`
    for (; open.length > length; open = open.slice(length)) pieces.push(open.slice(0, length))
  }
  return open === '' ? pieces : [...pieces, open]
}

/** For what is typed from paper: capital I and small l differ in it. */
export const MONOSPACE = 'Courier New, Courier, monospace'

/** Characters of the line beside the code, and what the picture measures, in millimetres. */
const PICTURE = { width: 120, height: 32, characters: 46, size: 3 }

/** What is said beside the code of a receipt, before its line. */
export const receiptWords = (publicUrl: string): string[] => [
  'Receipt of our log. If our records of the past are ever changed,',
  `it shows: ${publicUrl}/SFMBox/check`,
]

/** A receipt as a picture for papers: its code with words and line; or, before anything was signed, that there is none. */
export function receiptSvg(receipt: LogReceipt | undefined, publicUrl: string): string {
  const { width, height, characters, size } = PICTURE
  const words =
    receipt === undefined ? ['No receipt of our log yet: nothing of it is signed.'] : receiptWords(publicUrl)
  const texts = [...words, ...(receipt === undefined ? [] : brokenLine(receipt, characters))]
  const code = receipt && receiptCode(receipt)
  const left = code === undefined ? 0 : height + 2
  const lines = texts.map((text, i) => {
    const font = i < words.length ? '' : ` font-family="${MONOSPACE}"`
    return `<text x="${left}" y="${((i + 1.4) * size * 1.4).toFixed(1)}"${font}>${escapeHtml(text)}</text>`
  })
  const drawn =
    code === undefined ? '' : `<path transform="scale(${(height / code.side).toFixed(4)})" d="${code.path}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">
<rect width="100%" height="100%" fill="#fff"/>
${drawn}
<g font-family="Helvetica, Arial, sans-serif" font-size="${size}" fill="#000">
${lines.join('\n')}
</g>
</svg>
`
}
