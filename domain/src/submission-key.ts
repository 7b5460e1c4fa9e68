import type { FieldReading } from './box-input.ts'
import { instantOf } from './market-time.ts'

/**
 * Idempotency key of a reading: the client's id or, without one, the logger and the instant, in whichever format the
 * time is written. Source: running.md 'Records from the field'.
 * @param timeZone the market's, for times without an offset
 */
export const submissionKey = (
  { id, iotID, time }: Pick<FieldReading, 'id' | 'iotID' | 'time'>,
  timeZone: string,
): string => (id === undefined ? `at:${instantOf(time, timeZone)}:${iotID}` : `id:${id}`)
