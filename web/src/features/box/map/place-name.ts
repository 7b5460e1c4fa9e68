import { AT_MARKET_KM } from '@befaqt/domain/box-stages'
import { kilometres, type Place } from '@befaqt/domain/distance'
import { towns } from './towns.ts'

const POINTS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']
/** Nearer to a town than this is there. */
const THERE_KM = 5
/** A town that is farther away says nothing. */
const FAR_KM = 250

/** Which way one goes from a place to another: 'N', 'NE' … Exact enough for a few hundred kilometres. */
function bearing(from: Place, to: Place): string {
  const east = (to.longitude - from.longitude) * Math.cos((to.latitude * Math.PI) / 180)
  const turns = Math.atan2(east, to.latitude - from.latitude) / (2 * Math.PI)
  return POINTS[Math.round(8 * turns + 8) % 8] ?? ''
}

/**
 * A place by the nearest port that people know, '17 km E of Yamba', or by the market that it is at; undefined far from
 * all of them.
 */
export function placeName(place: Place, market: Place & { name: string }): string | undefined {
  if (kilometres(place, market) <= AT_MARKET_KM) return market.name
  const [nearest] = towns
    .map((town) => ({ town, away: kilometres(town, place) }))
    .sort((a, b) => a.away - b.away)
  if (nearest === undefined || nearest.away > FAR_KM) return undefined
  const { town, away } = nearest
  return away < THERE_KM ? town.name : `${Math.round(away)} km ${bearing(town, place)} of ${town.name}`
}
