import type { Box } from '@befaqt/domain/box'
import { alertsOf } from '@befaqt/domain/cold-chain-alerts'
import type { Place } from '@befaqt/domain/distance'
import { instantOf } from '@befaqt/domain/market-time'
import { inTimeOrder, type Reading, usualInterval } from '@befaqt/domain/readings'
import { eq } from 'drizzle-orm'
import { showsTheSame } from '#server/catalogue/announce-boxes.ts'
import type { Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { gazetteer } from '#server/geocode/gazetteer.ts'
import { boxFigures } from './box-figures.ts'
import { stageOf } from './box-stage.ts'
import type { BoxRow } from './read-records.ts'
import { readWholeBox } from './whole-box.ts'

/** Alerts of one box that lists show: more say nothing new. */
const MOST_ALERTS = 20

/**
 * Computes once, after new records, what lists and product cards show of a box. Answers whether cards show something
 * else than before.
 */
export async function writeSummary(tx: Tx, boxID: string, market: Place): Promise<boolean> {
  const { box, row } = await readWholeBox(tx, boxID)
  const written = await summaryOf(box, market)
  await tx.update(boxes).set(written).where(eq(boxes.id, boxID))
  return !showsTheSame(row.summary, written.summary)
}

/** Columns of a box's row that its records give. */
export type BoxSummary = Pick<
  BoxRow,
  'species' | 'trader' | 'stage' | 'alerts' | 'silentAfter' | 'caughtAt' | 'summary'
>

/** What lists and product cards show of a box. */
export async function summaryOf(box: Box, market: Place): Promise<BoxSummary> {
  const { catchProv, fisher } = box
  const readings = box.iotResult?.iotTracking ?? []
  const figures = boxFigures(box)
  const onIce = figures.timeLeft?.left.find(({ temperature }) => temperature === 0)
  const caught = catchProv === null ? undefined : instantOf(catchProv.time)
  return {
    species: catchProv?.species ?? '',
    trader: fisher.traderName || fisher.traderID,
    stage: stageOf(box, market),
    alerts: alertsOf(readings)
      .slice(-MOST_ALERTS)
      .map(({ kind, words }) => ({ kind, words })),
    silentAfter: silentAfter(readings),
    caughtAt: caught === undefined ? null : new Date(caught),
    summary: {
      freshnessIndex: figures.freshnessIndex,
      daysLeft: onIce === undefined ? null : { days: onIce.days, low: onIce.low, high: onIce.high },
      catchPlace: catchProv && (await gazetteer.addressOf(catchProv.latitude, catchProv.longitude)),
      catchTime: catchProv?.time ?? null,
    },
  }
}

/** When the sensor will have been silent for twice its usual interval; null when there is no usual one. */
function silentAfter(readings: readonly Reading[]): Date | null {
  const ordered = inTimeOrder(readings)
  const last = ordered.at(-1)
  const usual = usualInterval(ordered)
  return last === undefined || usual === null ? null : new Date(last.at + 2 * usual)
}
