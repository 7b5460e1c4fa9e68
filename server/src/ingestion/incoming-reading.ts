import type { FieldReading } from '@befaqt/domain/box-input'
import type { RecordedReading } from '@befaqt/domain/recorded-reading'

/** A reading that may be stored: as it came, and how. What is signed has its statement with it. */
export type IncomingReading = FieldReading &
  Pick<RecordedReading, 'sent' | 'signed' | 'file'> & { statement?: StatementPlace | undefined }

/** The position of a signed reading among all that its key signed. */
export type StatementPlace = {
  key: string
  counter: number
  /** SHA-256 of the signature, hex: distinguishes two statements with one counter. */
  digest: string
  place: number
  battery: number | null
}
