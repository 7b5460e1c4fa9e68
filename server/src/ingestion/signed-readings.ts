import { hash } from 'node:crypto'
import { FieldReading } from '@befaqt/domain/box'
import { CoseSubmission, SignedDeviceReading, SignedFieldReading } from '@befaqt/domain/device'
import { type Clock, rejectFutureTimes } from '@befaqt/domain/market-time'
import { FormatError } from '@befaqt/provenance'
import { latenessIn } from '@befaqt/provenance/lateness'
import { readCoseStatement } from '@befaqt/provenance/signed/cose-statement'
import { verifyEd25519 } from '@befaqt/provenance/signed/signatures-node'
import type { SignedMark } from '@befaqt/provenance/signed/signed-data'
import {
  FIRST,
  jcsStatementText,
  readJcsStatement,
  type Statement,
} from '@befaqt/provenance/signed/statement'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { devices } from '#server/db/schema/devices.ts'
import {
  fieldErrors,
  type IncomingReading,
  type Rejection,
  refusedFor,
  type StatementPlace,
} from './incoming-reading.ts'

/** A statement as it came, not yet compared with a key. */
type Claim = {
  statement: Statement
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
  const { key } = statement
  const hex = Buffer.from(bytes).toString('hex')
  const markAt: Claim['markAt'] = (place, level) => ({ form: 'cose', level, key, bytes: hex, place })
  return { statement, markAt }
}

function jcsClaim(input: object, box: string | undefined, clock: Clock): Claim | Rejection {
  const schema: z.ZodType<Omit<SignedFieldReading, 'box'> & { box?: string }> =
    box === undefined ? SignedFieldReading : SignedDeviceReading
  const parsed = rejectFutureTimes(schema, clock).safeParse(input)
  if (!parsed.success) return { refused: fieldErrors(parsed.error) }
  const { key, counter, battery, prev, signature, box: named = box ?? '', ...reading } = parsed.data
  const text = jcsStatementText(reading, { key, counter, battery, prev, box: named })
  const markAt: Claim['markAt'] = (_, level) => ({ form: 'jcs', level, key, text, signature })
  return { statement: readJcsStatement(text, Buffer.from(signature, 'hex')), markAt }
}

type Device = Pick<typeof devices.$inferSelect, 'id' | 'publicKey' | 'level' | 'validFrom'>

/** A claim, and the box that its transport names, if it does. */
export type BroughtClaim = Claim & { box: string | undefined }

/**
 * Verifies signatures in Node's thread pool, all at once, with the keys of the register. Returns for each the readings
 * of its statement, or why it is rejected. The transaction checks later whether its key was revoked and its counter has
 * grown.
 */
export async function verifyClaims(
  db: Db,
  claims: readonly BroughtClaim[],
  clock: Clock,
): Promise<(IncomingReading[] | Rejection)[]> {
  const ids = [...new Set(claims.map(({ statement }) => statement.key))]
  const { id, publicKey, level, validFrom } = devices
  const found =
    ids.length === 0
      ? []
      : await db
          .select({ id, publicKey, level, validFrom })
          .from(devices)
          .where(sql`${id} = any(${sql.param(ids)}::text[])`)
  const known = new Map(found.map((device) => [device.id, device]))
  const check = checker(clock)
  return Promise.all(claims.map((claim) => check(claim, known.get(claim.statement.key))))
}

function checker(clock: Clock) {
  const schema = rejectFutureTimes(FieldReading, clock)
  const secondsAfter = latenessIn(clock.timeZone)
  return async (claim: BroughtClaim, device: Device | undefined): Promise<IncomingReading[] | Rejection> => {
    const { statement, markAt, box } = claim
    const { message, signature } = statement
    if (device === undefined) return refusedFor('key', 'No device with this key is registered.')
    if (!(await verifyEd25519(Buffer.from(device.publicKey, 'hex'), message, signature)))
      return refusedFor('signature', 'is not the signature of this key over this reading')
    if (box !== undefined && box !== statement.box)
      return refusedFor('box', `The signed box is ${statement.box}, not the one that it was sent for.`)
    const readings: IncomingReading[] = []
    for (const [place, reading] of statement.readings.entries()) {
      const parsed = schema.safeParse({ ...reading, box: statement.box })
      if (!parsed.success) return { refused: fieldErrors(parsed.error) }
      const early = secondsAfter(reading.time, device.validFrom.getTime() / 1000) ?? 0
      if (early > 0) return refusedFor('time', 'is before the key became valid')
      const signed = markAt(place, device.level)
      readings.push({ ...parsed.data, signed, statement: placeIn(statement, place) })
    }
    return readings
  }
}

/** Statements of the older form are known by their signature, as they were before there was another. */
function placeIn(
  { key, counter, battery, prev, hash: own, signature }: Statement,
  place: number,
): StatementPlace {
  const digest = prev === null ? hash('sha256', signature) : own
  return { key, counter, digest, place, battery, ...(prev !== null && prev !== FIRST && { prev }) }
}
