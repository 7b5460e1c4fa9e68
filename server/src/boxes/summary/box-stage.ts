import { newest } from '@befaqt/domain/assessment'
import type { Box } from '@befaqt/domain/box'
import type { BoxStage } from '@befaqt/domain/box-stages'
import { kilometres, type Place } from '@befaqt/domain/distance'
import { isOffshore } from './coastline.ts'

/** Within this of the market's place a box has arrived. */
const AT_MARKET_KM = 2
/** Nearer to the shore than this a boat is landing, or a lorry is on a road by the sea. */
const LANDED_KM = 2

/** Where a box is that is not sealed. */
export type OpenStage = Exclude<BoxStage, 'sealed'>

/**
 * Where a box is by its newest position, lost ones (a zero) passed over, the place of the catch before any reading:
 * at market within 2 km of it; at sea on water more than 2 km from every shore; on the road elsewhere. Without a
 * position it is registered and no more.
 */
export const stageOf = (
  { iotResult, catchProv }: Pick<Box, 'iotResult' | 'catchProv'>,
  market: Place & { timeZone: string },
): OpenStage =>
  stageAt(newest((iotResult?.iotTracking ?? []).filter(isPlaced), market.timeZone), catchProv, market)

/** `stageOf` by the newest reading with a position. */
export function stageAt(reading: Place | undefined, catchProv: Box['catchProv'], market: Place): OpenStage {
  const place = reading ?? (catchProv !== null && isPlaced(catchProv) ? catchProv : undefined)
  if (place === undefined) return 'registered'
  if (kilometres(place, market) <= AT_MARKET_KM) return 'at market'
  return isOffshore(place, LANDED_KM) ? 'at sea' : 'on the road'
}

/** Has it a position, or was it lost (a zero)? */
export const isPlaced = ({ latitude, longitude }: Place): boolean => latitude !== 0 && longitude !== 0
