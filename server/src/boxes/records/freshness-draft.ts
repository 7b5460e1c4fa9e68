import { assess } from '@befaqt/domain/assessment'
import type { Box, FreshnessEntry } from '@befaqt/domain/box'
import { marketTime } from '@befaqt/domain/market-time'
import type { RecordDraft } from './append-records.ts'

/** Who writes freshness records: the server, nobody else. Source: freshness.md §1. */
const ASSESSOR = 'befaqt'

/** The freshness record of a box as it stands, made now; null when there is nothing to go by. Source: freshness.md §1. */
export function freshnessDraft(
  box: Box,
  now: Date,
  timeZone: string,
): (RecordDraft & { data: FreshnessEntry }) | null {
  return draftOf(now, timeZone, (time) => assess(box, time, timeZone))
}

/** The same of what is known of a box without its history. @param assess makes the entry of this market time */
export function draftOf(
  now: Date,
  timeZone: string,
  assess: (time: string) => FreshnessEntry | null,
): (RecordDraft & { data: FreshnessEntry }) | null {
  const time = marketTime(now.getTime(), timeZone)
  const data = assess(time)
  return data && { kind: 'freshness', at: time, by: ASSESSOR, data }
}
