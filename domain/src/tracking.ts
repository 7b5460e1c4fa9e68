import type { Place } from './distance.ts'

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

/** 3 °C or below blue; above 3 up to 6 amber; above 6 red. Source: spec §9. */
export function temperatureBand(celsius: number): TemperatureBand {
  if (celsius <= 3) return { colour: 'blue', word: 'cold' }
  return celsius <= 6 ? { colour: 'amber', word: 'cool' } : { colour: 'red', word: 'warm' }
}

/** A temperature rounded to two decimals, half away from zero, as charts and tables show it. Source: spec §5. */
export const roundedTemperature = (celsius: number): number =>
  Math.sign(celsius) * (Math.round((Math.abs(celsius) + Number.EPSILON) * 100) / 100)

/** '1.50': a temperature with two decimals, never '-0.00'. */
export const temperatureText = (celsius: number): string => (roundedTemperature(celsius) + 0).toFixed(2)
