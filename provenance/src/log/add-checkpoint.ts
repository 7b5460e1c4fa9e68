import { type Digest, hashOf, hexOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { count, digest } from './checkpoint.ts'
import { MAX_NOTE, toBase64 } from './note.ts'
import { MAX_PROOF } from './tree.ts'

/*
 * What a log sends a witness, and where a witness shows what it signed. Source: C2SP tlog-witness v1.0.0, tlog-mirror.
 */

/** A request to sign a checkpoint that continues one of `old` entries. */
export interface AddRequest {
  readonly old: number
  readonly proof: readonly Digest[]
  /** The checkpoint with the signature of its log. */
  readonly note: string
}

/** Type of the answer 409, which says how many entries the witness's newest checkpoint has. */
export const SIZE_TYPE = 'text/x.tlog.size'

/** Longest request that is read, in bytes: a proof, and a note of which no character has more than three. */
export const MAX_REQUEST = 4_096 + 3 * MAX_NOTE

export const addRequestText = ({ old, proof, note }: AddRequest): string =>
  [`old ${old}`, ...proof.map(toBase64), '', note].join('\n')

/** The note in it is not opened. @throws FormatError for anything but what `addRequestText` writes */
export function parseAddRequest(text: string): AddRequest {
  const end = text.indexOf('\n\n')
  const [first = '', ...proof] = text.slice(0, Math.max(end, 0)).split('\n')
  if (!first.startsWith('old ')) throw new FormatError('$.old', 'is missing')
  if (proof.length > MAX_PROOF) throw new FormatError('$.proof', `must hold ${MAX_PROOF} hashes at most`)
  return {
    old: count(first.slice(4), '$.old'),
    proof: proof.map((hash, i) => digest(hash, `$.proof[${i}]`)),
    note: text.slice(end + 2),
  }
}

const hexOfOrigin = (origin: string): string => hexOf(hashOf(utf8(origin)))

/** Where a witness shows the newest checkpoint of this log that it signed, below its address. */
export const monitorPath = (origin: string): string => `/w/${hexOfOrigin(origin)}/checkpoint`

/** Where a mirror serves its copy of this log, below its address: `checkpoint` and `tile/…` as the log itself has them. */
export const mirrorPath = (origin: string): string => `/m/${hexOfOrigin(origin)}`
