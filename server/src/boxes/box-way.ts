import type { BoxPageView } from '@befaqt/domain/api/box-api'
import type { Box } from '@befaqt/domain/box'
import { isPlaced } from '@befaqt/domain/box-metrics'
import { instantOf } from '@befaqt/domain/market-time'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { isOffshore } from './summary/coastline.ts'

/** Nearer to the shore than this a boat is landing; as for the stage of a box. */
const LANDED_KM = 2

/** Places of a long way that are compared with the coastline first: some 0.1 ms each. */
const LOOKED_AT = 200

/**
 * When a box was landed: its first reading on land or by the shore after the last one at sea. null while it is at sea,
 * and for one that was never seen there. It is derived from a coastline, so no record proves it. Market time or RFC
 * 3339, as sent. Of a long way only so many places are looked at, and those between the last at sea and the next.
 */
export function landedAt({ iotResult }: Pick<Box, 'iotResult'>, timeZone: string): string | null {
  const placed = (iotResult?.iotTracking ?? [])
    .filter(isPlaced)
    .map((reading) => ({ ...reading, at: instantOf(reading.time, timeZone) ?? 0 }))
    .sort((a, b) => a.at - b.at)
  const isAtSea = (index: number): boolean => {
    const reading = placed[index]
    return reading !== undefined && isOffshore(reading, LANDED_KM)
  }
  const step = Math.max(1, Math.ceil(placed.length / LOOKED_AT))
  let ashore = placed.length - 1
  if (isAtSea(ashore)) return null
  let atSea = ashore - step
  while (atSea >= 0 && !isAtSea(atSea)) [ashore, atSea] = [atSea, atSea - step]
  if (atSea < 0) atSea = isAtSea(0) ? 0 : -1
  if (atSea === -1) return null
  while (ashore - atSea > 1) {
    const middle = (atSea + ashore) >> 1
    if (isAtSea(middle)) atSea = middle
    else ashore = middle
  }
  return placed[ashore]?.time ?? null
}

/** Where a box of protocol 1 was anchored before it was anchored anew; undefined for every other. */
export async function formerLedger(db: Db, boxID: string): Promise<BoxPageView['formerLedger']> {
  const [found] = await rows<{ contract: string; count: number; time: string }>(
    db,
    sql`select l.contract, b.count, a.block_time::text as time from protocol_1.anchor_leaves b
        join protocol_1.anchors a on a.index = b.anchor_index and a.state = 'confirmed'
        cross join protocol_1.ledgers l
        where b.box_id = ${boxID} order by b.count desc, a.index limit 1`,
  )
  if (found === undefined) return undefined
  const { contract, count, time } = found
  return { contract, count, anchoredAt: new Date(Number(time) * 1000).toISOString() }
}
