import { kilometres } from '@befaqt/domain/place'
import places from './places.json' with { type: 'json' }
import type { Geocoder } from './port.ts'

const radians = (degrees: number): number => (degrees * Math.PI) / 180

const DIRECTIONS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west']

/** Compass direction from the town to the point. */
function direction(fromLat: number, fromLon: number, lat: number, lon: number): string {
  const east = (lon - fromLon) * Math.cos(radians(lat))
  const degrees = (Math.atan2(east, lat - fromLat) * 180) / Math.PI
  return DIRECTIONS[Math.round((degrees + 360) / 45) % 8] ?? 'north'
}

/** No address beyond this distance from a town. */
const FAR_KM = 400
/** Within this distance the address is the town's name alone. */
const HERE_KM = 3

/** Works offline: the nearest Australian town with distance and direction. Data: GeoNames, CC BY 4.0. */
export const gazetteer: Geocoder = {
  addressOf: async (latitude, longitude) => {
    let nearest: (typeof places)[number] | undefined
    let least = FAR_KM
    for (const place of places) {
      const km = kilometres(
        { latitude: Number(place[2]), longitude: Number(place[3]) },
        { latitude, longitude },
      )
      if (km < least) [nearest, least] = [place, km]
    }
    if (nearest === undefined) return ''
    const [name, state] = nearest
    const town = `${name}, ${state}, Australia`
    if (least < HERE_KM) return town
    return `${Math.round(least)} km ${direction(Number(nearest[2]), Number(nearest[3]), latitude, longitude)} of ${town}`
  },
}
