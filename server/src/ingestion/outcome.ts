import type { FieldError } from '@befaqt/domain/errors'

/** Why a reading was not taken: of which field, '' for the whole, and why. */
export type Rejection = { refused: readonly FieldError[] }

/** What became of one reading. */
export type Outcome = 'accepted' | 'duplicate' | Rejection
