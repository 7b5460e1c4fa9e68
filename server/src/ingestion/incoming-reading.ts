import type { FieldReading } from '@befaqt/domain/box'
import { submissionKey } from '@befaqt/domain/box'
import type { RecordedReading } from '@befaqt/domain/box-records'
import type { FieldError } from '@befaqt/domain/errors'
import type { z } from 'zod'
import { toValidationError } from '#server/http/errors.ts'

/** A reading that may be stored: as it came, and how. What is signed has its statement with it. */
export type IncomingReading = FieldReading &
  Pick<RecordedReading, 'sent' | 'signed' | 'file'> & { statement?: StatementPlace | undefined }

/** The position of a signed reading among all that its key signed. */
export type StatementPlace = {
  key: string
  counter: number
  /** Distinguishes two statements with one counter, hex: its hash; of the older form the SHA-256 of its signature. */
  digest: string
  /** The hash of the statement that it goes on from. Absent: of none, or it is of the older form. */
  prev?: string
  place: number
  battery: number | null
}

/** Why a reading was not taken: of which field, '' for the whole, and why. */
export type Rejection = { refused: readonly FieldError[] }

/** What became of one reading. */
export type Outcome = 'accepted' | 'duplicate' | Rejection

/** More faults of one reading say nothing new. */
const MAX_FIELD_ERRORS = 10

/** What a schema finds wrong, for the answer. */
export const fieldErrors = (error: z.ZodError): readonly FieldError[] =>
  toValidationError(error).fields.slice(0, MAX_FIELD_ERRORS)

/** One fault. */
export const refusedFor = (path: string, message: string): Rejection => ({ refused: [{ path, message }] })

/**
 * What makes a reading the same again: for a signed one, the statement of its key, and its place in that. The beginning of
 * what it goes on from stands behind, to be found by it.
 */
export const dedupeKeyOf = (reading: IncomingReading, timeZone: string): string => {
  const { statement } = reading
  if (statement === undefined) return submissionKey(reading, timeZone)
  const { key, counter, digest, place, prev } = statement
  return `signed:${key}:${counter}:${digest}:${place}${prev === undefined ? '' : `:${prevInKey(prev)}`}`
}

/** So much of a hash as keys hold: 16 bytes in hex. */
export const prevInKey = (prev: string): string => prev.slice(0, 32)
