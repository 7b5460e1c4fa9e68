import { verifyEd25519 } from '#signatures'
import { type Digest, sameDigest, textOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import { blockTimeSeconds } from '../validate.ts'
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts'
import {
  MAX_NOTE,
  type NoteSignature,
  parseNote,
  parseVerifierKey,
  toBase64,
  type VerifierKey,
} from './note.ts'
import type { Receipt } from './receipt.ts'
import { type GetPath, type LogTiles, logTiles, provenRoot } from './tiles.ts'
import { leafHash, proveInclusion, rootOf, verifyInclusion } from './tree.ts'

/*
 * Does the log that a shop shows today still hold what a receipt of it promised? Source: witness.md, Receipts; RFC 9162 §2.1.4.
 */

/**
 * What came of it. `fits`: every entry of then is the same now. `ahead`: the log shown is shorter. `differs`: it is another
 * one. `mistyped`: but for some characters it fits, which no other log could bring about. `changed`: it is not as the log
 * signed it. `other_log`: it is of another one. `unsigned`: the log shown is not signed by its key. `not_shown`: the log
 * does not show what gives the state that it signed.
 */
export type ReceiptState =
  | 'fits'
  | 'ahead'
  | 'differs'
  | 'mistyped'
  | 'changed'
  | 'other_log'
  | 'unsigned'
  | 'not_shown'

/**
 * Who says that the log gave the receipt: it itself, by its `signed` note; nobody, where there is the `line` alone or the
 * note is of `other_key`; `unchecked`: no key is known, or this browser can't check its signature.
 */
export type ReceiptProof = 'signed' | 'line' | 'other_key' | 'unchecked'

/** A receipt held against the log of today. */
export interface ReceiptResult {
  readonly state: ReceiptState
  readonly proof: ReceiptProof
  readonly receipt: Checkpoint
  /** As it was signed; null: the line alone. */
  readonly receiptNote: string | null
  readonly today: Checkpoint
  /** Time of the newest anchor that the receipt holds, and of the log's newest: seconds since 1970; null: not known. */
  readonly upTo: number | null
  readonly newest: number | null
  /** The state that a mistyped receipt is meant to say. */
  readonly meant: Checkpoint | null
  /** The log that the shop says it began in place of this one, which is not signed any more; null: none. */
  readonly successor: string | null
}

/** A log as its shop shows it. */
export interface LogToday {
  /** Its checkpoint, with signatures. */
  readonly note: string
  readonly get: GetPath
  /** Of the log; null: not known. */
  readonly key: VerifierKey | null
  /** The name of the log that was begun in its place. */
  readonly successor?: string | null
}

/** Longest text of a key, and of the name of a log, that is read. */
const MAX_KEY = 4_096
const MAX_NAME = 256

/**
 * A log as it is shown now; undefined: none is shown. Without a `known` key the one that it names itself is taken, which is
 * its word. Rejects as `get` does. @throws FormatError where what is shown is no text
 */
export async function readToday(get: GetPath, known: VerifierKey | null): Promise<LogToday | undefined> {
  const [shown, named, next] = await Promise.all([
    get('checkpoint', 3 * MAX_NOTE),
    known === null ? get('key', MAX_KEY) : undefined,
    get('successor', MAX_NAME),
  ])
  if (shown === undefined) return undefined
  const successor = next === undefined ? '' : readText(next).trim()
  return {
    note: readText(shown),
    get,
    key: known ?? keyIn(named),
    successor: /^[^\s\p{C}]+$/u.test(successor) ? successor : null,
  }
}

function readText(bytes: Uint8Array): string {
  try {
    return textOf(bytes)
  } catch {
    throw new FormatError('$', 'must be UTF-8 text')
  }
}

function keyIn(bytes: Uint8Array | undefined): VerifierKey | null {
  try {
    return bytes === undefined ? null : parseVerifierKey(textOf(bytes).trim())
  } catch {
    return null
  }
}

/** @throws FormatError where what is shown as the log's checkpoint is none */
export async function checkReceipt(receipt: Receipt, log: LogToday): Promise<ReceiptResult> {
  const today = parseCheckpoint(parseNote(log.note).text)
  const found = {
    proof: receipt.note === null ? 'line' : 'unchecked',
    receipt: receipt.checkpoint,
    receiptNote: receipt.note,
    today,
    upTo: null,
    newest: null,
    meant: null,
    successor: log.successor ?? null,
  } as const
  if (receipt.checkpoint.origin !== today.origin) return { ...found, state: 'other_log' }
  const shown = await signedBy(log.note, log.key, today.origin)
  if (shown === 'bad' || shown === 'other') return { ...found, state: 'unsigned' }
  const signed = receipt.note === null ? undefined : await ownSignature(receipt.note, log)
  if (signed === 'bad') return { ...found, state: 'changed' }
  const proof = signed === undefined ? 'line' : proofs[signed]
  const tiles = logTiles(today.size, log.get)
  try {
    return { ...found, proof, ...(await compare(receipt.checkpoint, proof, today, tiles)) }
  } catch {
    return { ...found, proof, state: 'not_shown' }
  }
}

type Signed = 'good' | 'bad' | 'other' | 'unchecked'

const proofs = { good: 'signed', other: 'other_key', unchecked: 'unchecked' } as const

/** Did the log sign the receipt? Without its key the ids of both notes tell whether it was the same. */
async function ownSignature(note: string, { note: shown, key }: LogToday): Promise<Signed> {
  const { origin } = parseCheckpoint(parseNote(shown).text)
  if (key !== null) return signedBy(note, key, origin)
  const ids = new Set(linesOf(shown, origin).map(({ id }) => id))
  return linesOf(note, origin).some(({ id }) => ids.has(id)) ? 'unchecked' : 'other'
}

const linesOf = (note: string, name: string): NoteSignature[] =>
  parseNote(note).signatures.filter((line) => line.name === name)

async function signedBy(note: string, key: VerifierKey | null, origin: string): Promise<Signed> {
  if (key === null) return 'unchecked'
  const { text } = parseNote(note)
  const lines = linesOf(note, origin).filter(({ id }) => key.name === origin && id === key.id)
  const good = await Promise.all(lines.map(({ bytes }) => verifyEd25519(key.publicKey, utf8(text), bytes)))
  if (good.length === 0) return 'other'
  if (good.includes(false)) return 'bad'
  return good.includes(true) ? 'good' : 'unchecked'
}

type Compared = Pick<ReceiptResult, 'state' | 'upTo' | 'newest' | 'meant'>

/** Rejects where the tiles don't give the state that was signed. */
async function compare(
  receipt: Checkpoint,
  proof: ReceiptProof,
  today: Checkpoint,
  tiles: LogTiles,
): Promise<Compared> {
  const newest = today.size === 0 ? null : await timeAt(today.size, today.root, tiles)
  const nothing = { newest, upTo: null, meant: null }
  const meant = proof === 'signed' ? null : await meantBy(receipt, today, tiles)
  if (meant !== null) return { ...nothing, state: 'mistyped', meant }
  if (receipt.size > today.size) return { ...nothing, state: 'ahead' }
  const root = await provenRoot(receipt.size, today, tiles)
  if (!sameDigest(root, receipt.root)) return { ...nothing, state: 'differs' }
  return { ...nothing, state: 'fits', upTo: await timeAt(receipt.size, root, tiles) }
}

/** Seconds since 1970 of the last anchor among so many; null: its entry is not there, or is none. */
async function timeAt(size: number, root: Digest, { hash, entries }: LogTiles): Promise<number | null> {
  try {
    const [entry] = await entries(size - 1)
    const path = await proveInclusion(size - 1, size, hash)
    if (entry === undefined || !verifyInclusion(leafHash(entry), size - 1, size, path, root)) return null
    const said: unknown = JSON.parse(textOf(entry))
    const time = typeof said === 'object' && said !== null && 'time' in said ? said.time : undefined
    return typeof time === 'string' ? (blockTimeSeconds(time) ?? null) : null
  } catch {
    return null
  }
}

/** Letters of a root that may be wrong for it still to be the one meant: what is left has 180 bits, beyond any chance. */
const MAX_WRONG = 12

/**
 * The state of the log that a copied receipt says but for some letters of its root, or a digit of its size; null: it says
 * one that the log has, or none.
 */
async function meantBy(receipt: Checkpoint, today: Checkpoint, tiles: LogTiles): Promise<Checkpoint | null> {
  const written = toBase64(receipt.root)
  const at = async (size: number): Promise<Checkpoint> => ({
    origin: today.origin,
    size,
    root: await provenRoot(size, today, tiles),
  })
  if (receipt.size <= today.size) {
    const own = await at(receipt.size)
    if (sameDigest(own.root, receipt.root)) return null
    if (wrongLetters(written, toBase64(own.root)) <= MAX_WRONG) return own
  }
  for (const size of sizesNear(receipt.size, today.size)) {
    if (sameDigest(await rootOf(size, tiles.hash), receipt.root)) return at(size)
  }
  return null
}

const wrongLetters = (a: string, b: string): number => [...a].filter((letter, i) => letter !== b[i]).length

/** Sizes that a slip of the hand makes this one of: a digit too many, too few, another, or two that changed places. */
function sizesNear(size: number, most: number): number[] {
  const digits = String(size)
  const near = new Set<string>()
  for (let i = 0; i <= digits.length; i++) {
    const [before, after] = [digits.slice(0, i), digits.slice(i)]
    near.add(before + after.slice(1))
    near.add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2))
    for (const digit of '0123456789') near.add(before + digit + after.slice(1)).add(before + digit + after)
  }
  return [...near]
    .filter((text) => /^[1-9]\d*$/.test(text))
    .map(Number)
    .filter((other) => other !== size && other <= most)
}
