import { type Digest, sameDigest, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { fromBase64, parseNote, toBase64 } from './note.ts'
import { EMPTY_ROOT, MAX_PROOF, MAX_SIZE } from './tree.ts'

/*
 * Checkpoints: what a log says of its newest tree, as it is written. Who signed it: signed-checkpoint.ts.
 * Source: C2SP tlog-checkpoint v1.0.0, tlog-proof v1.
 */

/** The state of a log. */
export interface Checkpoint {
  /** Name of the log, and of its key. */
  readonly origin: string
  readonly size: number
  readonly root: Digest
}

/** The text that is signed; no extension lines. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(root)}\n`

const MAX_ORIGIN_BYTES = 255

/** @throws FormatError for anything but what `checkpointText` writes */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n')
  if (rest.length !== 1 || rest[0] !== '') throw new FormatError('$', 'must be origin, size and root')
  if (origin === '' || utf8(origin).length > MAX_ORIGIN_BYTES)
    throw new FormatError('$.origin', `must be 1 to ${MAX_ORIGIN_BYTES} bytes`)
  const read = { origin, size: count(size, '$.size'), root: digest(root, '$.root') }
  if (read.size === 0 && !sameDigest(read.root, EMPTY_ROOT))
    throw new FormatError('$.root', 'is not that of a tree without leaves')
  return read
}

/** A whole number without leading zeros, up to the largest tree. @throws FormatError */
export function count(text: string, path: string): number {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= MAX_SIZE)) throw new FormatError(path, `must be a number from 0 to ${MAX_SIZE}`)
  return value
}

/** 32 bytes in base64. @throws FormatError */
export function digest(text: string, path: string): Digest {
  const bytes = text.length === 44 ? fromBase64(text, path) : undefined
  if (bytes?.length !== 32) throw new FormatError(path, 'must be 32 bytes in base64')
  return bytes as Digest
}

/** That an entry is in a log, for a file of its own: `.tlog-proof`. */
export interface ProofFile {
  readonly index: number
  /** From the leaf's sibling up. */
  readonly path: readonly Digest[]
  /** The signed checkpoint. */
  readonly checkpoint: string
}

const FIRST_LINE = 'c2sp.org/tlog-proof@v1'
/** Longest line of data that applications may add, which nobody signs. */
const MAX_EXTRA = 4_096

export const proofFileText = ({ index, path, checkpoint }: ProofFile): string =>
  [FIRST_LINE, `index ${index}`, ...path.map(toBase64), '', checkpoint].join('\n')

/** The checkpoint in it is not opened. @throws FormatError */
export function parseProofFile(text: string): ProofFile {
  const end = text.indexOf('\n\n')
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  if (first !== FIRST_LINE) throw new FormatError('$', `must begin with ${FIRST_LINE}`)
  if (lines[0]?.startsWith('extra ')) fromBase64(lines.shift()?.slice(6, MAX_EXTRA) ?? '', '$.extra')
  const [index = '', ...path] = lines
  if (!index.startsWith('index ')) throw new FormatError('$.index', 'is missing')
  if (path.length > MAX_PROOF) throw new FormatError('$.path', `must hold ${MAX_PROOF} hashes at most`)
  const checkpoint = text.slice(end + 2)
  parseCheckpoint(parseNote(checkpoint).text)
  return {
    index: count(index.slice(6), '$.index'),
    path: path.map((hash, i) => digest(hash, `$.path[${i}]`)),
    checkpoint,
  }
}
