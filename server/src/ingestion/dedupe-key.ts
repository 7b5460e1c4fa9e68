import { submissionKey } from '@befaqt/domain/submission-key'
import type { IncomingReading } from './incoming-reading.ts'

/** What makes a reading the same again: for a signed one, the statement of its key, and its place in that. */
export const dedupeKeyOf = (reading: IncomingReading, timeZone: string): string => {
  const { statement } = reading
  if (statement === undefined) return submissionKey(reading, timeZone)
  return `signed:${statement.key}:${statement.counter}:${statement.digest}:${statement.place}`
}
