import type { FieldError } from '@befaqt/domain/errors'
import type { z } from 'zod'
import { toValidationError } from '#server/http/errors.ts'

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
