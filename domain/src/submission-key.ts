import type { FieldReading } from './box-input.ts'
import { instantOf } from './market-time.ts'

/**
 * What makes a reading the same reading when it comes to its box again: the sender's id or, without one, the logger
 * and the instant, however its time is written. Source: running.md 'Records from the field'.
 * @param timeZone the market's, which a time without an offset is in
 */
export const submissionKey = (
  { id, iotID, time }: Pick<FieldReading, 'id' | 'iotID' | 'time'>,
  timeZone: string,
): string => (id === undefined ? `at:${instantOf(time, timeZone)}:${iotID}` : `id:${id}`)
