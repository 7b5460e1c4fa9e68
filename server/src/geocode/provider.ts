import type { Logger } from 'pino'
import { z } from 'zod'
import type { Geocoder } from './port.ts'

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
