import { newest } from './assessment.ts'
import type { Box } from './box.ts'
import { AT_MARKET_KM, type BoxStage } from './box-stages.ts'
import { kilometres, type Place } from './distance.ts'

/** Nearer to the shore than this a boat is landing, or a lorry is on a road by the sea. */
const LANDED_KM = 2

/** Is a place on water, more than `km` from every shore? Needs a coastline, which this package does not have. */
export type IsOffshore = (place: Place, km: number) => boolean

/** Where a box is that is not sealed. */
export type OpenStage = Exclude<BoxStage, 'sealed'>

/**
 * Where a box is by its newest position, lost ones (a zero) passed over, the place of the catch before any reading:
 * at market within 2 km of it; at sea on water more than 2 km from every shore; on the road elsewhere. Without a
 * position it is only registered.
 */
export const stageOf = (
  { iotResult, catchProv }: Pick<Box, 'iotResult' | 'catchProv'>,
  market: Place & { timeZone: string },
  isOffshore: IsOffshore,
): OpenStage => {
  const reading = newest((iotResult?.iotTracking ?? []).filter(isPlaced), market.timeZone)
  return stageAt(reading, catchProv, market, isOffshore)
}

/** `stageOf` by the newest reading with a position. */
export function stageAt(
  reading: Place | undefined,
  catchProv: Box['catchProv'],
  market: Place,
  isOffshore: IsOffshore,
): OpenStage {
  const place = reading ?? (catchProv !== null && isPlaced(catchProv) ? catchProv : undefined)
  if (place === undefined) return 'registered'
  if (kilometres(place, market) <= AT_MARKET_KM) return 'at market'
  return isOffshore(place, LANDED_KM) ? 'at sea' : 'on the road'
}

/** Has it a position, or was it lost (a zero)? */
export const isPlaced = ({ latitude, longitude }: Place): boolean => latitude !== 0 && longitude !== 0
