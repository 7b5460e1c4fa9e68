import { type Digest, hashOf, textOf, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'

/*
 * OpenTimestamps proofs: from a hash by appended and prepended bytes and SHA-256 to what attests it, a promise of a calendar
 * or the Merkle root of a Bitcoin block. The operations that calendars use are known, and no other; strict and bounded.
 * Source: python-opentimestamps 0.4, core/{timestamp,op,notary,serialize}.py, which is the format's only text.
 */

/** Who attests a message. */
export type Attestation =
  | { readonly kind: 'pending'; readonly uri: string }
  | { readonly kind: 'bitcoin'; readonly height: number }
  | { readonly kind: 'other'; readonly tag: string; readonly payload: Uint8Array }

/** One operation, and what holds of its result. */
interface Step {
  readonly op: number
  /** What is appended or prepended. */
  readonly argument: Uint8Array
  readonly next: OtsProof
}

const nameOf = ({ op, argument }: Omit<Step, 'next'>): string => `${op} ${hexBytes(argument)}`

/** What is proven of a message. */
export interface OtsProof {
  readonly message: Uint8Array
  readonly attestations: readonly Attestation[]
  readonly steps: readonly Step[]
}

const MAGIC = Uint8Array.of(
  0,
  ...utf8('OpenTimestamps\0\0Proof\0'),
  ...[0xbf, 0x89, 0xe2, 0xe8, 0x84, 0xe8, 0x92, 0x94],
)
const VERSION = 1
const [SHA256, APPEND, PREPEND] = [0x08, 0xf0, 0xf1]
const [ATTESTATION, MORE] = [0x00, 0xff]
const PENDING = '83dfe30d2ef90c8e'
const BITCOIN = '0588960d73d71901'
const MAX_MESSAGE = 4_096
const MAX_PAYLOAD = 8_192
const MAX_URI = 1_000
const URI = /^https?:\/\/[A-Za-z0-9._:/-]+$/
/** Longest answer of a calendar, and longest file, in bytes; most operations in a row, and in all. */
export const MAX_ANSWER = 10_000
export const MAX_OTS = 65_536
const MAX_DEPTH = 256
const MAX_STEPS = 4_096

const hexBytes = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Reads bytes one after the other. */
class Reader {
  readonly #bytes: Uint8Array
  #at = 0
  steps = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  take(length: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    if (taken.length < length) throw new FormatError('$', 'ends too early')
    this.#at += length
    return taken
  }

  byte(): number {
    return this.take(1)[0] ?? 0
  }

  /** A number in groups of seven bits, the lowest first, written as short as it can be. */
  number(most: number): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (value > most || scale > most) throw new FormatError('$', `holds a number over ${most}`)
      if (byte >= 0x80) continue
      if (byte === 0 && scale > 1) throw new FormatError('$', 'holds a number that could be shorter')
      return value
    }
  }

  bytes(least: number, most: number): Uint8Array {
    const length = this.number(most)
    if (length < least) throw new FormatError('$', 'holds nothing where something belongs')
    return this.take(length)
  }

  end(): void {
    if (this.#at < this.#bytes.length) throw new FormatError('$', 'is followed by something else')
  }
}

/** @throws FormatError */
function proofIn(reader: Reader, message: Uint8Array, depth = 0): OtsProof {
  if (depth > MAX_DEPTH) throw new FormatError('$', `has more than ${MAX_DEPTH} operations in a row`)
  const attestations: Attestation[] = []
  const steps: Step[] = []
  for (let more = true; more; ) {
    const first = reader.byte()
    more = first === MORE
    const tag = more ? reader.byte() : first
    if (++reader.steps > MAX_STEPS) throw new FormatError('$', `has more than ${MAX_STEPS} operations`)
    if (tag === ATTESTATION) {
      const one = attestationIn(reader)
      if (attestations.some((known) => sameAttestation(known, one)))
        throw new FormatError('$', 'has one attestation twice')
      attestations.push(one)
    } else {
      const argument = tag === SHA256 ? new Uint8Array() : argumentOf(tag, reader)
      if (steps.some((known) => nameOf(known) === nameOf({ op: tag, argument })))
        throw new FormatError('$', 'has one operation twice')
      const next = proofIn(reader, resultOf(tag, message, argument), depth + 1)
      steps.push({ op: tag, argument, next })
    }
  }
  return { message, attestations, steps }
}

function argumentOf(tag: number, reader: Reader): Uint8Array {
  if (tag !== APPEND && tag !== PREPEND)
    throw new FormatError('$', `has an operation that is not known: ${tag}`)
  return reader.bytes(1, MAX_MESSAGE)
}

function resultOf(op: number, message: Uint8Array, argument: Uint8Array): Uint8Array {
  if (op === SHA256) return hashOf(message)
  const [first, second] = op === APPEND ? [message, argument] : [argument, message]
  if (first.length + second.length > MAX_MESSAGE)
    throw new FormatError('$', `comes to more than ${MAX_MESSAGE} bytes`)
  return Uint8Array.of(...first, ...second)
}

/** The highest block that a proof may name: some hundred years of them. */
const MAX_HEIGHT = 9_999_999

function attestationIn(reader: Reader): Attestation {
  const tag = hexBytes(reader.take(8))
  const payload = reader.bytes(0, MAX_PAYLOAD)
  const inside = new Reader(payload)
  if (tag === BITCOIN) {
    const height = inside.number(MAX_HEIGHT)
    inside.end()
    return { kind: 'bitcoin', height }
  }
  if (tag !== PENDING) return { kind: 'other', tag, payload }
  const uri = Buffer.from(inside.bytes(1, MAX_URI)).toString('latin1')
  inside.end()
  if (!URI.test(uri)) throw new FormatError('$', 'names a calendar by no address')
  return { kind: 'pending', uri }
}

/** What a calendar answers of a message. @throws FormatError */
export function parseCalendarAnswer(bytes: Uint8Array, message: Uint8Array): OtsProof {
  if (bytes.length > MAX_ANSWER) throw new FormatError('$', `is over ${MAX_ANSWER} bytes`)
  return wholeProof(new Reader(bytes), message)
}

function wholeProof(reader: Reader, message: Uint8Array): OtsProof {
  const proof = proofIn(reader, message)
  reader.end()
  return proof
}

/** The proof in a file `.ots`, of a SHA-256. @throws FormatError */
export function parseOts(bytes: Uint8Array): OtsProof {
  if (bytes.length > MAX_OTS) throw new FormatError('$', `is over ${MAX_OTS} bytes`)
  const reader = new Reader(bytes)
  if (Buffer.compare(reader.take(MAGIC.length), MAGIC) !== 0)
    throw new FormatError('$', 'is no OpenTimestamps proof')
  if (reader.number(VERSION) !== VERSION) throw new FormatError('$', `is not of version ${VERSION}`)
  if (reader.byte() !== SHA256) throw new FormatError('$', 'is not of a SHA-256')
  return wholeProof(reader, reader.take(32) as Digest)
}

const numberBytes = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...numberBytes(Math.floor(value / 128))]
const lengthAnd = (bytes: ArrayLike<number>): number[] => [...numberBytes(bytes.length), ...Array.from(bytes)]

/** A proof as calendars answer it. */
export function proofBytes({ attestations, steps }: OtsProof): Uint8Array {
  const items = [
    ...attestations.map((one) => [ATTESTATION, ...attestationBytes(one)]),
    ...steps.map(({ op, argument, next }) => [
      op,
      ...(op === SHA256 ? [] : lengthAnd(argument)),
      ...proofBytes(next),
    ]),
  ]
  return Uint8Array.from(items.flatMap((item, i) => (i < items.length - 1 ? [MORE, ...item] : item)))
}

function attestationBytes(one: Attestation): number[] {
  if (one.kind === 'other') return [...Buffer.from(one.tag, 'hex'), ...lengthAnd(one.payload)]
  const payload = one.kind === 'pending' ? lengthAnd(utf8(one.uri)) : numberBytes(one.height)
  return [...Buffer.from(one.kind === 'pending' ? PENDING : BITCOIN, 'hex'), ...lengthAnd(payload)]
}

const sameAttestation = (a: Attestation, b: Attestation): boolean =>
  Buffer.compare(Uint8Array.from(attestationBytes(a)), Uint8Array.from(attestationBytes(b))) === 0

/** A file `.ots` of a SHA-256. */
export const otsFile = (proof: OtsProof): Uint8Array =>
  Uint8Array.of(...MAGIC, VERSION, SHA256, ...proof.message, ...proofBytes(proof))

/**
 * What proofs of one message prove together. An operation that several begin with stands there once: the reference
 * implementation keeps one of two.
 */
export function together(first: OtsProof, ...more: readonly OtsProof[]): OtsProof {
  const attestations = new Map<string, Attestation>()
  const steps = new Map<string, Step>()
  for (const proof of [first, ...more]) {
    for (const one of proof.attestations)
      attestations.set(hexBytes(Uint8Array.from(attestationBytes(one))), one)
    for (const one of proof.steps) {
      const known = steps.get(nameOf(one))
      steps.set(nameOf(one), known === undefined ? one : { ...one, next: together(known.next, one.next) })
    }
  }
  return { message: first.message, attestations: [...attestations.values()], steps: [...steps.values()] }
}

/** All that attests something, with what it attests. */
export const attestationsIn = (proof: OtsProof): { message: Uint8Array; attestation: Attestation }[] => [
  ...proof.attestations.map((attestation) => ({ message: proof.message, attestation })),
  ...proof.steps.flatMap(({ next }) => attestationsIn(next)),
]

/** The proof with what a calendar says now in place of its promise. */
export function upgraded(proof: OtsProof, uri: string, now: OtsProof): OtsProof {
  const steps = proof.steps.map((step) => ({ ...step, next: upgraded(step.next, uri, now) }))
  const left = proof.attestations.filter((one) => one.kind !== 'pending' || one.uri !== uri)
  const isHere = left.length < proof.attestations.length && Buffer.compare(proof.message, now.message) === 0
  return isHere ? together({ ...proof, attestations: left, steps }, now) : { ...proof, steps }
}

/** A Bitcoin block, by its header. */
export interface BlockHeader {
  /** In the order in which it is hashed. */
  readonly merkleRoot: Uint8Array
  readonly timeS: number
  /** As people write it: the last byte first. */
  readonly hash: string
}

/** The 80 bytes of a header in hex. @throws FormatError */
export function parseHeader(hex: string): BlockHeader {
  if (!/^[0-9a-fA-F]{160}$/.test(hex))
    throw new FormatError('$', 'must be the 160 hex characters of a header')
  const bytes = Buffer.from(hex, 'hex')
  return {
    merkleRoot: bytes.subarray(36, 68),
    timeS: bytes.readUInt32LE(68),
    hash: Buffer.from(hashOf(hashOf(bytes)))
      .reverse()
      .toString('hex'),
  }
}

const MAX_BLOCKS = 1_000

/** A file of block headers: lines of height and header in hex. @throws FormatError */
export function parseBlocks(bytes: Uint8Array): Map<number, BlockHeader> {
  const lines = textOf(bytes)
    .split('\n')
    .filter((line) => line.trim() !== '')
  if (lines.length > MAX_BLOCKS) throw new FormatError('$', `must be ${MAX_BLOCKS} blocks at most`)
  const blocks = new Map(
    lines.map((line, i) => {
      const [, height = '', header = ''] = /^(\d{1,7}) (\S{160})$/.exec(line.trimEnd()) ?? []
      if (height === '') throw new FormatError(`$[${i}]`, 'must be a height and a header in hex')
      return [Number(height), parseHeader(header)] as const
    }),
  )
  if (blocks.size < lines.length) throw new FormatError('$', 'must hold one header for each height')
  return blocks
}
