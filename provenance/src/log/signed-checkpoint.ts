import { verifyEd25519, verifyMlDsa44 } from '#signatures'
import { utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { type Checkpoint, checkpointText, parseCheckpoint } from './checkpoint.ts'
import {
  keyTypes,
  type Note,
  type NoteSignature,
  noteOf,
  parseNote,
  signatureLine,
  type VerifierKey,
} from './note.ts'

/*
 * What a log signs of its newest tree, and what witnesses sign below it.
 * Source: C2SP tlog-checkpoint v1.0.0, tlog-cosignature v1.1.0-rc.1.
 */

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
