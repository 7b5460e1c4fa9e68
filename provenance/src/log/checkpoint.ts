import { verifyEd25519, verifyMlDsa44 } from '#signatures'
import { type Digest, sameDigest, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import {
  fromBase64,
  keyTypes,
  type Note,
  type NoteSignature,
  noteOf,
  parseNote,
  signatureLine,
  toBase64,
  type VerifierKey,
} from './note.ts'
import { EMPTY_ROOT, MAX_PROOF, MAX_SIZE } from './tree.ts'

/*
 * Checkpoints: what a log signs of its newest tree, and what witnesses sign below it.
 * Source: C2SP tlog-checkpoint v1.0.0, tlog-cosignature v1.1.0-rc.1, tlog-proof v1.
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

/** A key of ours that signs: its public half, and what makes its signature of some bytes. */
export interface Signer {
  readonly key: VerifierKey
  sign(message: Uint8Array): Uint8Array
}

/** The signed checkpoint of a log, by its key of type 0x01. */
export function signCheckpoint(checkpoint: Checkpoint, { key, sign }: Signer): string {
  if (key.type !== keyTypes.ed25519 || key.name !== checkpoint.origin)
    throw new RangeError('a log signs with an Ed25519 key that has its name')
  const text = checkpointText(checkpoint)
  return noteOf(text, [signatureLine(key, sign(utf8(text)))])
}

/** A witness's line below a checkpoint: that at this time, in seconds, it was the newest, and continued all before. */
export const cosign = (checkpoint: Checkpoint, { key, sign }: Signer, timeS: number): string =>
  signatureLine(
    key,
    Uint8Array.of(
      ...uint64(timeS),
      ...sign(cosignedBytes(checkpoint, checkpointText(checkpoint), key, timeS)),
    ),
  )

function cosignedBytes({ origin, size, root }: Checkpoint, text: string, key: VerifierKey, timeS: number) {
  if (key.type === keyTypes.ed25519Cosigner) return utf8(`cosignature/v1\ntime ${timeS}\n${text}`)
  if (key.type !== keyTypes.mlDsa44Cosigner) throw new RangeError('a log’s key signs no cosignature')
  const label = utf8('subtree/v1\n\0')
  const [cosigner, log] = [utf8(key.name), utf8(origin)]
  const names = [cosigner.length, ...cosigner, ...uint64(timeS), log.length, ...log]
  return Uint8Array.of(...label, ...names, ...uint64(0), ...uint64(size), ...root)
}

/** Eight bytes, the most significant first. */
function uint64(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value, i = 0; i < 8; i++, rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return bytes
}

/** That a witness signed, and when it says it did, in seconds since 1970; 0: it says no time. */
export interface Cosignature {
  readonly key: VerifierKey
  readonly timeS: number
}

/** A checkpoint that its log signed. */
export interface OpenedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly note: Note
  /** By keys that are known, each once: with its newest time. */
  readonly cosignatures: readonly Cosignature[]
  /** Keys whose signatures stand there and can't be checked here: a browser without their algorithm. */
  readonly unchecked: readonly VerifierKey[]
}

/**
 * The checkpoint of a note, when one of these logs signed it. Signatures of other keys are passed over; one that fails
 * of a key that is known refuses the whole note.
 * @throws FormatError unless it is such a note, or where the log's signature can't be checked
 */
export async function openCheckpoint(
  text: string,
  logs: readonly VerifierKey[],
  cosigners: readonly VerifierKey[],
): Promise<OpenedCheckpoint> {
  const note = parseNote(text)
  const checkpoint = parseCheckpoint(note.text)
  const own = logs.filter(({ name, type }) => name === checkpoint.origin && type === keyTypes.ed25519)
  const known = [...own, ...cosigners.filter(({ type }) => type !== keyTypes.ed25519)]
  const found = await Promise.all(
    note.signatures.flatMap((signature, i) =>
      known
        .filter(({ name, id }) => name === signature.name && id === signature.id)
        .map((key) => check(checkpoint, note.text, key, signature, `$.signatures[${i}]`)),
    ),
  )
  if (!found.some(({ key, good }) => own.includes(key) && good))
    throw new FormatError('$.signatures', 'must hold the log’s, and it must be possible to check it')
  const cosignatures = new Map<VerifierKey, number>()
  for (const { key, good, timeS } of found)
    if (good && !own.includes(key)) cosignatures.set(key, Math.max(timeS, cosignatures.get(key) ?? 0))
  return {
    checkpoint,
    note,
    cosignatures: Array.from(cosignatures, ([key, timeS]) => ({ key, timeS })),
    unchecked: [...new Set(found.flatMap(({ key, good }) => (good ? [] : [key])))],
  }
}

interface Checked extends Cosignature {
  /** Undefined: can't be found out here. */
  readonly good: true | undefined
}

async function check(
  checkpoint: Checkpoint,
  text: string,
  key: VerifierKey,
  { bytes }: NoteSignature,
  path: string,
): Promise<Checked> {
  const isLog = key.type === keyTypes.ed25519
  const timeS = isLog ? 0 : timeIn(bytes, path)
  const message = isLog ? utf8(text) : cosignedBytes(checkpoint, text, key, timeS)
  const verify = key.type === keyTypes.mlDsa44Cosigner ? verifyMlDsa44 : verifyEd25519
  const good = await verify(key.publicKey, message, isLog ? bytes : bytes.subarray(8))
  if (good === false) throw new FormatError(path, 'is not by the key that it names')
  return { key, timeS, good }
}

function timeIn(bytes: Uint8Array, path: string): number {
  if (bytes.length < 8) throw new FormatError(path, 'is too short')
  const timeS = bytes.subarray(0, 8).reduce((value, byte) => value * 256 + byte, 0)
  if (!Number.isSafeInteger(timeS)) throw new FormatError(path, 'is of a time that no clock shows')
  return timeS
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
