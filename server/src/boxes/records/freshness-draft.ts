import type { FreshnessEntry } from '@befaqt/domain/box'
import { marketTime } from '@befaqt/domain/market-time'
import type { RecordDraft } from './append-records.ts'

/** Who writes freshness records: the server, nobody else. Source: freshness.md §1. */
const ASSESSOR = 'befaqt'

/**
 * The freshness record of a box as it stands, made now; null when there is nothing to go by. Source: freshness.md §1.
 * @param assess makes the entry of this market time
 */
export function freshnessDraft(
  now: Date,
  timeZone: string,
  assess: (time: string) => FreshnessEntry | null,
): (RecordDraft & { data: FreshnessEntry }) | null {
  const time = marketTime(now.getTime(), timeZone)
  const data = assess(time)
  return data && { kind: 'freshness', at: time, by: ASSESSOR, data }
}
