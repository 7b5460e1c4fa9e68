import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import type { Box, Fisher } from '@befaqt/domain/box'
import { boxMetrics, stageOf } from '@befaqt/domain/box-metrics'
import { type Alert, alertsOf, coldChainMark, inTimeOrder, usualInterval } from '@befaqt/domain/cold-chain'
import { freshnessFacts } from '@befaqt/domain/freshness-facts'
import { instantOf } from '@befaqt/domain/market-time'
import type { Place } from '@befaqt/domain/place'
import type { Measured } from '@befaqt/domain/time-left'
import type { BoxRow } from '#server/boxes/read-records.ts'
import { gazetteer } from '#server/geocode/geocode.ts'
import { isOffshore } from './coastline.ts'

/** Alerts of one box that lists show: more say nothing new. */
export const MAX_ALERTS = 20

/** Where and in which zone boxes are sold. */
export type Market = Place & { timeZone: string }

/** Columns of a box's row that its records give. */
export type BoxSummary = Pick<
  BoxRow,
  'species' | 'trader' | 'stage' | 'alerts' | 'silentAfter' | 'caughtAt' | 'summary'
>

/** What lists and product cards show of a box. */
export async function summaryOf(
  box: Box,
  market: Market,
  probes: readonly Measured[] = [],
): Promise<BoxSummary> {
  const readings = box.iotResult?.iotTracking ?? []
  const { timeZone } = market
  const figures = boxMetrics(box, timeZone, probes)
  const ordered = inTimeOrder(readings, timeZone)
  return summaryFrom({
    catchProv: box.catchProv,
    timeZone,
    trader: traderName(box.fisher),
    stage: stageOf(box, market, isOffshore),
    alerts: alertsOf(readings, timeZone).slice(-MAX_ALERTS),
    silentAfter: silentAfter(ordered.at(-1)?.at, usualInterval(ordered)),
    figures,
    catchPlace: await placeOfCatch(box.catchProv),
  })
}

/** What a summary is made of. */
type SummaryParts = Pick<BoxSummary, 'trader' | 'stage' | 'silentAfter'> &
  Pick<Box, 'catchProv'> & {
    alerts: readonly Alert[]
    figures: BoxMetrics
    /** The market's, of times without an offset. */
    timeZone: string
    /** Where the catch is, in words. */
    catchPlace: string | null
  }

/** The columns, of what a history adds up to. */
export function summaryFrom({ catchProv, ...parts }: SummaryParts): BoxSummary {
  const { trader, stage, silentAfter, alerts, figures, catchPlace } = parts
  const { coldChain } = figures
  const caught = catchProv === null ? undefined : instantOf(catchProv.time, parts.timeZone)
  return {
    species: catchProv?.species ?? '',
    trader,
    stage,
    alerts: alerts.map(({ kind, at, words }) => ({ kind, at: new Date(at).toISOString(), words })),
    silentAfter,
    caughtAt: caught === undefined ? null : new Date(caught),
    summary: {
      ...freshnessFacts(figures),
      coldChain: coldChain && coldChainMark(coldChain),
      stage,
      catchPlace,
      catchTime: catchProv?.time ?? null,
      method: catchProv?.method ?? null,
      boat: catchProv?.boat || null,
      trader: trader || null,
    },
  }
}

/** Who registered a box, as lists name them. */
export const traderName = ({ traderName, traderID }: Fisher): string => traderName || traderID

/** Where the catch is in words, without a network. */
export const placeOfCatch = async (catchProv: Box['catchProv']): Promise<string | null> =>
  catchProv && (await gazetteer.addressOf(catchProv.latitude, catchProv.longitude))

/**
 * When the sensor will have been silent for twice its usual interval; null when there is no usual one.
 * @param last milliseconds since 1970 of the last reading
 */
export const silentAfter = (last: number | undefined, usual: number | null): Date | null =>
  last === undefined || usual === null ? null : new Date(last + 2 * usual)
