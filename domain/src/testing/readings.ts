import fc from 'fast-check'
import type { Reading } from '../cold-chain.ts'

/** Start of all test histories, UTC. */
export const START = Date.UTC(2026, 10, 18)

/** A reading `hours` after the start, at a fixed place. */
export const reading = (
  hours: number,
  temperature: number,
  place = { latitude: -33.9, longitude: 151.2 },
): Reading => ({
  time: new Date(START + hours * 3_600_000).toISOString(),
  temperature,
  ...place,
})

/** A reading each `step` hours from 0 to `hours`, all at one temperature. */
export const steady = (hours: number, temperature: number, step = 1): Reading[] =>
  Array.from({ length: hours / step + 1 }, (_, i) => reading(i * step, temperature))

/** Readings at whole minutes within four days, in any order, with duplicates. */
export const anyReadings: fc.Arbitrary<Reading[]> = fc
  .array(fc.tuple(fc.nat(4 * 24 * 60), fc.double({ min: -1.5, max: 20, noNaN: true })), { maxLength: 40 })
  .map((list) => list.map(([minute, temperature]) => reading(minute / 60, temperature)))
