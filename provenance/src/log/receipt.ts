import { FormatError } from '../format-error.ts'
import { type Checkpoint, checkpointText, count, digest, parseCheckpoint } from './checkpoint.ts'
import { MAX_NOTE, parseNote, toBase64 } from './note.ts'

/*
 * Receipts: the newest state of a shop's log as a buyer takes it home, on an email, a paper or a label. The line is for
 * eyes and keyboards and shows; the signed note beside it, as a code, proves. Source: witness.md, Receipts.
 */

const FORM = 'befaqt1'

/** What somebody kept of a log. */
export interface Receipt {
  readonly checkpoint: Checkpoint
  /** The note that the log signed, whole; null: the line alone is there, which anybody can write. */
  readonly note: string | null
}

/** The line of a receipt. */
export const receiptLine = ({ origin, size, root }: Checkpoint): string =>
  `${FORM} ${origin} ${size} ${toBase64(root)}`

/** @throws FormatError for anything but what `receiptLine` writes, and for a state without entries */
export function parseReceiptLine(line: string): Checkpoint {
  const [form, origin = '', size = '', root = '', ...rest] = line.split(' ')
  if (form !== FORM || rest.length > 0) throw new FormatError('$', `must be ${FORM}, origin, size and root`)
  if (/\s/.test(origin)) throw new FormatError('$.origin', 'must not hold white space')
  return promising(
    parseCheckpoint(checkpointText({ origin, size: count(size, '$.size'), root: digest(root, '$.root') })),
  )
}

/** A state without entries promises nothing. @throws FormatError */
function promising(checkpoint: Checkpoint): Checkpoint {
  if (checkpoint.size === 0) throw new FormatError('$.size', 'must be 1 or more')
  return checkpoint
}

/** Longest text that is looked through: a mail with all that stands around its receipt. */
const MAX_TEXT = 2 * MAX_NOTE
/** Origin, size, root, an empty line, and lines of signatures. */
const NOTE =
  /(?:^|\n)([^\s]{1,255}\n\d{1,16}\n[A-Za-z0-9+/]{43}=\n\n(?:— [^ \n]{1,255} [A-Za-z0-9+/=]{1,4000}(?:\n|$)){1,64})/
const LINE = /befaqt1\s{1,9}(\S{1,255})\s{1,9}(\d{1,16})\s{1,9}/

/**
 * The receipt in what somebody typed, pasted or scanned: a whole mail, a line that a program broke, a code's text. The
 * signed note where there is one, else the line. @throws FormatError where there is none, with what is wrong with it
 */
export function findReceipt(pasted: string): Receipt {
  if (pasted.length > MAX_TEXT) throw new FormatError('$', `is over ${MAX_TEXT} characters`)
  const text = pasted
    .replace(/\p{Cf}/gu, '')
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/^\s*(?:>\s?)*/, '').trimEnd())
    .join('\n')
  const note = NOTE.exec(text)?.[1]
  if (note !== undefined) {
    const whole = note.endsWith('\n') ? note : `${note}\n`
    return { checkpoint: promising(parseCheckpoint(parseNote(whole).text)), note: whole }
  }
  const line = LINE.exec(text)
  if (line === null) throw new FormatError('$', `must hold a line that begins with ${FORM}`)
  const [before, origin, size] = line
  const root = rootIn(text.slice(line.index + before.length))
  return { checkpoint: parseReceiptLine(`${FORM} ${origin} ${size} ${root}`), note: null }
}

/** Letters of a root in base64. */
const ROOT_LETTERS = 44

/** The first letters of a text that a root has, over white space that came between. */
function rootIn(text: string): string {
  let root = ''
  for (const part of text.slice(0, 10 * ROOT_LETTERS).split(/\s+/)) {
    root += part
    if (root.length >= ROOT_LETTERS) break
  }
  if (root.length < ROOT_LETTERS)
    throw new FormatError(
      '$.root',
      `has ${root.length} characters where ${ROOT_LETTERS} belong: some are missing`,
    )
  const [, letters] = /^([A-Za-z0-9+/]{43}=)(?![A-Za-z0-9+/=])/.exec(root) ?? []
  return letters ?? root
}
