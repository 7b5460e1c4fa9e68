import { kilometres } from '@befaqt/domain/place'
import type { Logger } from 'pino'
import { z } from 'zod'
import places from './places.json' with { type: 'json' }

/** Finds the address of a position. A failure gives a blank: addresses are for convenience, no proof depends on them. */
export type Geocoder = {
  /** Latitude and longitude in degrees (WGS 84). Blank when nothing is known or the provider fails. */
  addressOf(latitude: number, longitude: number): Promise<string>
}

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

/** The part of a provider's response that is used. Source: spec §7, Google Geocoding shape. */
const Answer = z.object({
  status: z.string(),
  results: z.array(z.object({ formatted_address: z.string().max(500) })).default([]),
})

const TIMEOUT_MS = 3_000
const MAX_CACHED = 5_000

/** Queries the configured provider; results are cached, a failure is logged and leaves the address blank. Source: spec §8. */
export function providerGeocoder(url: string, key: string | undefined, log: Logger): Geocoder {
  const known = new Map<string, string>()
  return {
    addressOf: async (latitude, longitude) => {
      const latlng = `${latitude},${longitude}`
      const cached = known.get(latlng)
      if (cached !== undefined) return cached
      try {
        const address = await request(url, key, latlng)
        if (known.size >= MAX_CACHED) known.clear()
        known.set(latlng, address)
        return address
      } catch (error) {
        log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'geocoding failed')
        return ''
      }
    },
  }
}

async function request(base: string, key: string | undefined, latlng: string): Promise<string> {
  const url = new URL(base)
  url.searchParams.set('latlng', latlng)
  if (key !== undefined) url.searchParams.set('key', key)
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  const answer = Answer.parse(await response.json())
  if (answer.status !== 'OK') throw new Error(`Geocoding failed ${answer.status}`)
  return answer.results[0]?.formatted_address ?? ''
}
