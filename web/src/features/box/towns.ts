import { AT_MARKET_KM, kilometres, type Place } from '@befaqt/domain/place'

/**
 * Ports that orient a reader on a coastline without tiles, the more important first: where names would cover one
 * another, these stay. Positions rounded to a hundredth of a degree.
 */
export const towns: readonly (Place & { name: string })[] = [
  { name: 'Sydney', latitude: -33.87, longitude: 151.21 },
  { name: 'Melbourne', latitude: -37.81, longitude: 144.96 },
  { name: 'Brisbane', latitude: -27.47, longitude: 153.03 },
  { name: 'Newcastle', latitude: -32.93, longitude: 151.78 },
  { name: 'Wollongong', latitude: -34.42, longitude: 150.89 },
  { name: 'Hobart', latitude: -42.88, longitude: 147.33 },
  { name: 'Coffs Harbour', latitude: -30.3, longitude: 153.12 },
  { name: 'Port Macquarie', latitude: -31.43, longitude: 152.91 },
  { name: 'Eden', latitude: -37.06, longitude: 149.9 },
  { name: 'Ulladulla', latitude: -35.36, longitude: 150.47 },
  { name: 'Nelson Bay', latitude: -32.72, longitude: 152.15 },
  { name: 'Batemans Bay', latitude: -35.71, longitude: 150.18 },
  { name: 'Bermagui', latitude: -36.42, longitude: 150.07 },
  { name: 'Forster', latitude: -32.18, longitude: 152.51 },
  { name: 'Yamba', latitude: -29.44, longitude: 153.36 },
]

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
