import { hash } from 'node:crypto'
import { CoseSubmission, SignedDeviceReading, SignedFieldReading } from '@befaqt/domain/device'
import { type Clock, rejectFutureTimes } from '@befaqt/domain/future-times'
import { FormatError } from '@befaqt/provenance'
import { readCoseStatement } from '@befaqt/provenance/signed/cose-statement'
import type { SignedMark } from '@befaqt/provenance/signed/signed-data'
import { jcsStatementText, readJcsStatement, type Statement } from '@befaqt/provenance/signed/statement'
import type { z } from 'zod'
import { fieldErrors, type Rejection } from './outcome.ts'

/** A statement as it came, not yet compared with a key. */
export type Claim = {
  statement: Statement
  digest: string
  /** What the record of the reading at a place holds of it. */
  markAt: (place: number, level: SignedMark['level']) => SignedMark
}

/** First byte of a COSE_Sign1 message; no JSON begins with it. Source: RFC 8949 §3.4. */
const SIGN1_BYTE = 0xd2

/** Is this message a logger's own, in CBOR? */
export const isCose = (payload: Uint8Array): boolean => payload[0] === SIGN1_BYTE

/** Does somebody claim to have signed this? */
export const isSigned = (input: unknown): input is object =>
  input instanceof Uint8Array ||
  (typeof input === 'object' && input !== null && ('signature' in input || 'cose' in input))

/** Reads what was signed, however it came. `box`: that of the topic, where it names one. */
export function readClaim(input: object, box: string | undefined, clock: Clock): Claim | Rejection {
  try {
    if (input instanceof Uint8Array) return coseClaim(input)
    if (!('cose' in input)) return jcsClaim(input, box, clock)
    const parsed = CoseSubmission.safeParse(input)
    return parsed.success
      ? coseClaim(Buffer.from(parsed.data.cose, 'hex'))
      : { refused: fieldErrors(parsed.error) }
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause
    return { refused: [{ path: cause.path.replace(/^\$\.?/, ''), message: cause.reason }] }
  }
}

function coseClaim(bytes: Uint8Array): Claim {
  const statement = readCoseStatement(bytes)
  const { key, signature } = statement
  const hex = Buffer.from(bytes).toString('hex')
  const markAt: Claim['markAt'] = (place, level) => ({ form: 'cose', level, key, bytes: hex, place })
  return { statement, digest: hash('sha256', signature), markAt }
}

function jcsClaim(input: object, box: string | undefined, clock: Clock): Claim | Rejection {
  const schema: z.ZodType<Omit<SignedFieldReading, 'box'> & { box?: string }> =
    box === undefined ? SignedFieldReading : SignedDeviceReading
  const parsed = rejectFutureTimes(schema, clock).safeParse(input)
  if (!parsed.success) return { refused: fieldErrors(parsed.error) }
  const { key, counter, battery, signature, box: named = box ?? '', ...reading } = parsed.data
  const text = jcsStatementText(reading, { key, counter, battery, box: named })
  const bytes = Buffer.from(signature, 'hex')
  const markAt: Claim['markAt'] = (_, level) => ({ form: 'jcs', level, key, text, signature })
  return { statement: readJcsStatement(text, bytes), digest: hash('sha256', bytes), markAt }
}
