import { FormatError } from '../format-error.ts'
import { hashBy, SHA256 } from './algorithms.ts'
import { authorityOf, type Certificate, requireStamping } from './certificates.ts'
import { DerParts, der, derOid, readDer, smallNumber, tags } from './der.ts'
import { MAX_TIME_STAMP, openTimeStamp, StampFault, type TimeStamp } from './time-stamp.ts'

/*
 * What an authority is asked for a time stamp, and what its answer has to be. Source: RFC 3161 §2.4.
 */

const NOTHING = der(tags.nothing)
const ONE = der(tags.integer, Uint8Array.of(1))
const YES = der(tags.boolean, Uint8Array.of(0xff))

/** A request for a time stamp of these bytes. @param nonce 8 bytes at random, which the answer has to name */
export function stampRequest(bytes: Uint8Array, nonce: Uint8Array): Uint8Array {
  const algorithm = der(tags.sequence, derOid(SHA256), NOTHING)
  const imprint = der(tags.sequence, algorithm, der(tags.octets, hashBy('sha256', bytes)))
  return der(tags.sequence, ONE, imprint, der(tags.integer, wholeNumber(nonce)), YES)
}

/** These bytes as a number above zero is written. */
function wholeNumber(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = first === -1 ? Uint8Array.of(0) : bytes.subarray(first)
  return (short[0] ?? 0) < 0x80 ? short : Uint8Array.of(0, ...short)
}

/** What an authority refused for, by the bit of PKIFailureInfo. */
const refusals: Readonly<Record<number, string>> = {
  0: 'it does not know the algorithm',
  2: 'it does not take such a request',
  5: 'it can’t read the request',
  14: 'its clock is not available',
  15: 'it does not know the terms',
  16: 'it does not know an extension',
  17: 'it lacks what was asked for',
  25: 'it is out of order',
}
const GRANTED = 0

/** The time stamp in an answer. @throws StampFault where it was refused, FormatError for what is no answer */
export function tokenIn(answer: Uint8Array): Uint8Array {
  if (answer.length > MAX_TIME_STAMP) throw new FormatError('$', `is over ${MAX_TIME_STAMP} bytes`)
  const parts = new DerParts(readDer(answer, tags.sequence, '$'), '$')
  const status = new DerParts(parts.take(tags.sequence, 'status'), '$.status')
  const granted = smallNumber(status.take(tags.integer, 'status'), '$.status')
  const words = status.optional(tags.sequence)
  if (words !== undefined) new DerParts(words, '$.status').rest(tags.utf8, 'words')
  const failure = status.optional(0x03)
  status.end()
  if (granted !== GRANTED) throw new StampFault(refusedWords(granted, failure?.content))
  if (failure !== undefined) throw new FormatError('$.status', 'is both granted and refused')
  const token = parts.take(tags.sequence, 'token').whole
  parts.end()
  return token
}

/** A string of bits begins with how many of its last byte are not used. */
function refusedWords(status: number, bits: Uint8Array = new Uint8Array()): string {
  const reasons = [...bits.subarray(1)].flatMap((byte, i) =>
    Array.from({ length: 8 }, (_, bit) =>
      (byte & (0x80 >> bit)) === 0 ? [] : (refusals[i * 8 + bit] ?? []),
    ).flat(),
  )
  return `The authority did not grant the time stamp (status ${status})${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}.`
}

/** An answer as it is kept: that it was granted, and the time stamp. */
export const keptAnswer = (token: Uint8Array): Uint8Array =>
  der(tags.sequence, der(tags.sequence, der(tags.integer, Uint8Array.of(GRANTED))), token)

/** How far the clock of an authority may be from ours, in milliseconds. */
const CLOCKS_MS = 5 * 60_000

/** What was asked, and when. */
export interface Asked {
  readonly bytes: Uint8Array
  readonly nonce: Uint8Array
  readonly fromMs: number
  readonly untilMs: number
  /** Authorities that are believed; undefined: whoever signed it. */
  readonly trusted: readonly Certificate[] | undefined
}

/**
 * The time stamp in the answer to a request, and the answer as it is kept.
 * @throws StampFault, CertificateFault where it is not what was asked for, FormatError for what can't be read
 */
export function checkedAnswer(answer: Uint8Array, asked: Asked): { kept: Uint8Array; stamp: TimeStamp } {
  const token = tokenIn(answer)
  const stamp = openTimeStamp(token, '$.token')
  requireImprint(stamp, asked.bytes)
  if (stamp.nonce === null || Buffer.compare(stamp.nonce, wholeNumber(asked.nonce)) !== 0)
    throw new StampFault('It answers another request: the number in it is not the one that was sent.')
  if (stamp.timeMs < asked.fromMs - CLOCKS_MS || stamp.timeMs > asked.untilMs + CLOCKS_MS)
    throw new StampFault(`Its time is not that of now: ${new Date(stamp.timeMs).toISOString()}.`)
  requireStamping(stamp.signer, stamp.timeMs)
  if (asked.trusted !== undefined) authorityOf(stamp.signer, stamp.others, asked.trusted, stamp.timeMs)
  return { kept: keptAnswer(token), stamp }
}

/** @throws StampFault unless it is of these bytes */
export function requireImprint({ hash, hashName }: TimeStamp, bytes: Uint8Array): void {
  if (Buffer.compare(hash, hashBy(hashName, bytes)) !== 0)
    throw new StampFault('It is of other bytes: its hash is not theirs.')
}
