import type { ErrorBody } from '../errors.ts'

/**
 * What became of a form that a page sent without its script, as a plain POST to its own address: the page is shown again
 * with it. Nothing of it is kept.
 */
export type SentForm = {
  /** What was typed, by field: never a password or a code. */
  typed: Readonly<Record<string, string>>
  /** What the operation answered; null when it refused. */
  answer: object | null
  /** How it refused, with the status that a program would get; null when it did not. */
  refusal: (ErrorBody['error'] & { status: number }) | null
}
