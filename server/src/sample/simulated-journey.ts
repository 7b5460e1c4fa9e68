/** What a simulated logger measures at a moment of its journey. */
export type SimulatedReading = { temperature: number; latitude: number; longitude: number; battery: number }

const HOUR = 1 / 24
/** Fishing grounds off New South Wales, the harbour, the market. Degrees. */
const GROUNDS = [
  [-33.98, 152.32],
  [-32.71, 152.9],
  [-35.41, 151.1],
  [-34.52, 151.62],
] as const
const HARBOUR = [-33.855, 151.205] as const
const MARKET = [-33.8725, 151.1925] as const
/** Shares of the journey that end with the landing, and with the arrival at the market. */
const LANDED = 0.7
const ARRIVED = 0.85

/** A number from 0 to 1 that looks random and is always the same. Source: the fractional part of a large sine. */
const noise = (seed: number): number => {
  const value = Math.sin(seed * 12.9898 + 78.233) * 43_758.5453
  return value - Math.floor(value)
}

const between = (from: readonly [number, number], to: readonly [number, number], part: number) =>
  [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part] as const

/**
 * The reading of a box at a part of its journey, from 0 (caught) to 1: cooled within hours, at sea, on the road, at the
 * market; every fifth box has its lid open for a while. The same box and moment give the same.
 * @param box number of the box, from 0
 */
export function simulatedReading(box: number, part: number): SimulatedReading {
  const ground = GROUNDS[box % GROUNDS.length] ?? GROUNDS[0]
  const start = [ground[0] + noise(box) / 5, ground[1] + noise(box + 0.5) / 5] as const
  const place =
    part < LANDED
      ? between(start, HARBOUR, part / LANDED)
      : between(HARBOUR, MARKET, Math.min(1, (part - LANDED) / (ARRIVED - LANDED)))
  const cooling = 16 * Math.exp(-part / (1.5 * HOUR))
  const isOpen = box % 5 === 4 && part > 0.55 && part < 0.6
  const wobble = (noise(box * 1_000 + part * 997) - 0.5) * 0.6
  const temperature = 0.8 + cooling + wobble + (isOpen ? 6.5 : 0)
  return {
    temperature: Math.round(temperature * 100) / 100,
    latitude: Math.round(place[0] * 1e5) / 1e5,
    longitude: Math.round(place[1] * 1e5) / 1e5,
    battery: Math.round(98 - 20 * part - 10 * noise(box + 7)),
  }
}
