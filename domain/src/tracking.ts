import type { Place } from './place.ts'

/**
 * Positions as the table shows them: an entry whose longitude is 0 reuses the last non-zero latitude and longitude.
 * Before any position is known, the entry keeps its own values. Source: spec §5.
 */
export function shownPositions<T extends Place>(readings: readonly T[]): (T & { reused: boolean })[] {
  let last: Place | undefined
  return readings.map((reading) => {
    if (reading.longitude !== 0 && reading.latitude !== 0) last = reading
    if (reading.longitude !== 0 || last === undefined) return { ...reading, reused: false }
    return { ...reading, latitude: last.latitude, longitude: last.longitude, reused: true }
  })
}

/** The readings on the map: those with zero latitude are skipped. Source: spec §2. */
export const mapPoints = <T extends Place>(readings: readonly T[]): T[] =>
  readings.filter(({ latitude }) => latitude !== 0)

/** Mean of points, on which the map is centred; null without points. Source: spec §2. */
export function meanPlace(points: readonly Place[]): Place | null {
  if (points.length === 0) return null
  const mean = (name: keyof Place): number =>
    points.reduce((sum, point) => sum + point[name], 0) / points.length
  return { latitude: mean('latitude'), longitude: mean('longitude') }
}

/** Colour of a temperature, and a word for people who can't see it. */
export type TemperatureBand = { colour: 'blue' | 'amber' | 'red'; word: 'cold' | 'cool' | 'warm' }

/** Where the bands end, in °C: up to the first is cold, up to the second cool, above it warm. Source: spec §9. */
export const BAND_ENDS = { cold: 3, cool: 6 } as const

/** A round temperature as texts say it: '5 °C', '−1.5 °C'. */
export const celsius = (degrees: number): string => `${String(degrees).replace('-', '−')} °C`

/** What each band spans, in words. */
export const bandSpans: Readonly<Record<TemperatureBand['word'], string>> = {
  cold: `up to ${celsius(BAND_ENDS.cold)}`,
  cool: `above ${BAND_ENDS.cold} to ${celsius(BAND_ENDS.cool)}`,
  warm: `above ${celsius(BAND_ENDS.cool)}`,
}

/** The band of a temperature: blue, amber or red. Source: spec §9. */
export function temperatureBand(degrees: number): TemperatureBand {
  if (degrees <= BAND_ENDS.cold) return { colour: 'blue', word: 'cold' }
  return degrees <= BAND_ENDS.cool ? { colour: 'amber', word: 'cool' } : { colour: 'red', word: 'warm' }
}

/** A temperature rounded to two decimals, half away from zero, as charts and tables show it. Source: spec §5. */
export const roundedTemperature = (degrees: number): number =>
  Math.sign(degrees) * (Math.round((Math.abs(degrees) + Number.EPSILON) * 100) / 100)

/** '1.50': a temperature with two decimals, never '-0.00'. */
export const temperatureText = (degrees: number): string => (roundedTemperature(degrees) + 0).toFixed(2)
