import { hashOf, hexOf, unhexed, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'

/*
 * Signed notes: a text, an empty line, and lines with signatures, each by a key with a name. Strict: of two ways to write
 * a thing one is refused. Source: C2SP signed-note v1.0.0.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Bytes in base64 with padding. Source: RFC 4648 §4. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0)
    text += ALPHABET.charAt(bits >> 18) + ALPHABET.charAt((bits >> 12) & 63)
    text += b === undefined ? '=' : ALPHABET.charAt((bits >> 6) & 63)
    text += c === undefined ? '=' : ALPHABET.charAt(bits & 63)
  }
  return text
}

/**
 * The bytes of a base64 text, where it is the one that they are written as: no white space, and no bits that are not
 * used. @throws FormatError
 */
export function fromBase64(text: string, path = '$'): Uint8Array {
  if (!BASE64.test(text)) throw new FormatError(path, 'must be base64')
  const bytes = new Uint8Array((text.length / 4) * 3 - (text.endsWith('==') ? 2 : Number(text.endsWith('='))))
  for (let at = 0, to = 0; at < text.length; at += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = Array.from(text.slice(at, at + 4), (letter) =>
      Math.max(0, ALPHABET.indexOf(letter)),
    )
    const bits = (a << 18) | (b << 12) | (c << 6) | d
    for (const byte of [bits >> 16, (bits >> 8) & 255, bits & 255]) if (to < bytes.length) bytes[to++] = byte
  }
  if (toBase64(bytes) !== text) throw new FormatError(path, 'must be base64 without spare bits')
  return bytes
}

/** Kinds of keys, by the byte that they are written with. */
export const keyTypes = { ed25519: 0x01, ed25519Cosigner: 0x04, mlDsa44Cosigner: 0x06 } as const
type KeyType = (typeof keyTypes)[keyof typeof keyTypes]

const KEY_BYTES: ReadonlyMap<number, number> = new Map([
  [keyTypes.ed25519, 32],
  [keyTypes.ed25519Cosigner, 32],
  [keyTypes.mlDsa44Cosigner, 1312],
])

/** A key that signatures are verified with. */
export interface VerifierKey {
  readonly name: string
  readonly type: KeyType
  readonly publicKey: Uint8Array
  /** By which signatures name it, with its name: 8 hex characters. */
  readonly id: string
}

/** As long as an ML-DSA cosignature can say it. */
const MAX_NAME_BYTES = 255
const WHITE_SPACE = /\p{White_Space}/u
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/

/** A name of a key: no white space and no plus sign. @throws FormatError */
function keyName(name: string, path: string): string {
  if (name === '' || WHITE_SPACE.test(name) || CONTROL.test(name) || name.includes('+'))
    throw new FormatError(path, 'must be a name without white space and plus sign')
  if (utf8(name).length > MAX_NAME_BYTES) throw new FormatError(path, `is over ${MAX_NAME_BYTES} bytes`)
  return name
}

/** A key with its id. @throws FormatError for a name that no key may have, and for bytes of another length */
export function verifierKey(name: string, type: number, publicKey: Uint8Array, path = '$'): VerifierKey {
  keyName(name, path)
  if (!isKeyType(type)) throw new FormatError(path, 'is a key of a kind that is not known')
  if (publicKey.length !== KEY_BYTES.get(type)) throw new FormatError(path, 'is a key of another length')
  const digest = hashOf(utf8(`${name}\n`), Uint8Array.of(type), publicKey)
  return { name, type, publicKey, id: hexOf(digest.subarray(0, 4)) }
}

const isKeyType = (type: number): type is KeyType => KEY_BYTES.has(type)

/** A key as one writes it down: `NAME+ID+BASE64(type ‖ key)`. */
export const verifierKeyText = ({ name, id, type, publicKey }: VerifierKey): string =>
  `${name}+${id}+${toBase64(Uint8Array.of(type, ...publicKey))}`

/** Longest text of a key that is read: a name, and ML-DSA-44's. */
const MAX_KEY_TEXT = 2_048

/** @throws FormatError for anything but what `verifierKeyText` writes */
export function parseVerifierKey(text: string, path = '$'): VerifierKey {
  const [, name = '', id, key = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? []
  if (id === undefined || text.length > MAX_KEY_TEXT)
    throw new FormatError(path, 'must be a key, NAME+ID+BASE64')
  const [type = 0, ...publicKey] = fromBase64(key, path)
  const read = verifierKey(name, type, Uint8Array.from(publicKey), path)
  if (read.id !== id) throw new FormatError(path, 'is a key whose id is of other bytes')
  return read
}

/** One line of signature. */
export interface NoteSignature {
  readonly name: string
  /** Of the key, 8 hex characters. */
  readonly id: string
  /** What stands after the id. */
  readonly bytes: Uint8Array
}

/** A note whose signatures were not looked at. */
export interface Note {
  /** Ends in a newline. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** A note is this long at most, in UTF-16 units: forty signatures of ML-DSA-44. */
export const MAX_NOTE = 131_072
const MAX_SIGNATURES = 64
const SIGNATURE_LINE = /^— ([^ ]+) ([A-Za-z0-9+/=]+)$/

/** @throws FormatError for what is no note: a control character, no signature, a line that is none */
export function parseNote(note: string): Note {
  if (note.length > MAX_NOTE) throw new FormatError('$', `is over ${MAX_NOTE} characters`)
  if (!note.isWellFormed() || CONTROL.test(note))
    throw new FormatError('$', 'must not hold control characters')
  const end = note.lastIndexOf('\n\n')
  if (end === -1) throw new FormatError('$', 'must be a text and an empty line before its signatures')
  return { text: note.slice(0, end + 1), signatures: parseSignatures(note.slice(end + 2)) }
}

/** Lines of signatures as they stand below a note, or as a witness answers them. @throws FormatError */
export function parseSignatures(text: string): NoteSignature[] {
  const lines = text.split('\n')
  if (lines.pop() !== '' || lines.length === 0)
    throw new FormatError('$.signatures', 'must be lines that end in a newline')
  if (lines.length > MAX_SIGNATURES)
    throw new FormatError('$.signatures', `must be ${MAX_SIGNATURES} at most`)
  return lines.map((line, i) => {
    const path = `$.signatures[${i}]`
    const [, name, base64 = ''] = SIGNATURE_LINE.exec(line) ?? []
    if (name === undefined) throw new FormatError(path, 'must be a dash, a name and base64')
    const bytes = fromBase64(base64, path)
    if (bytes.length < 5) throw new FormatError(path, 'is too short')
    return { name: keyName(name, path), id: hexOf(bytes.subarray(0, 4)), bytes: bytes.subarray(4) }
  })
}

/** A line of signature below a note, with its newline. */
export const signatureLine = ({ name, id }: Pick<VerifierKey, 'name' | 'id'>, bytes: Uint8Array): string =>
  `— ${name} ${toBase64(Uint8Array.of(...unhexed(id), ...bytes))}\n`

/** A note of a text and its lines of signatures. */
export const noteOf = (text: string, lines: readonly string[]): string => `${text}\n${lines.join('')}`
