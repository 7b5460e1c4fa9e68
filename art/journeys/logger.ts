import type { TrackingReading } from '@befaqt/domain/box'
import { MARKET_TIME_ZONE, marketTime } from '@befaqt/domain/market-time'
import { between, type Random } from '../drawings/random.ts'
import { type Leg, placeAt } from './track.ts'

/** Temperature of the box by hour after the catch: straight between the marks. */
export type Warmth = readonly (readonly [hour: number, celsius: number])[]

/** Hours, from and to, in which something fails. */
export type Span = readonly [from: number, to: number]

export type LoggerPlan = {
  iotID: string
  /** Hours after the catch of the first and the last reading, and minutes between readings. */
  from: number
  to: number
  every: number
  warmth: Warmth
  legs: readonly Leg[]
  /** No position: 0 / 0. */
  lost?: Span
  /** No reading at all. */
  silent?: Span
}

const within = (hour: number, span: Span | undefined): boolean =>
  span !== undefined && hour > span[0] && hour < span[1]

/** Readings of a logger with the noise of a real one: drift that dies down, clock a few seconds off, GPS scatter. */
export function readingsOf(plan: LoggerPlan, caughtAt: number, random: Random): TrackingReading[] {
  const readings: TrackingReading[] = []
  let drift = 0
  for (let hour = plan.from; hour <= plan.to; hour += plan.every / 60) {
    drift = drift * 0.7 + between(random, -0.14, 0.14)
    const late = Math.floor(between(random, 0, 25)) * 1000
    const scatter = [between(random, -4e-4, 4e-4), between(random, -4e-4, 4e-4)] as const
    if (within(hour, plan.silent)) continue
    const [latitude, longitude] = placeAt(plan.legs, hour)
    const known = !within(hour, plan.lost)
    readings.push({
      time: marketTime(caughtAt + hour * 3_600_000 + late, MARKET_TIME_ZONE),
      latitude: known ? rounded(latitude + scatter[0], 5) : 0,
      longitude: known ? rounded(longitude + scatter[1], 5) : 0,
      iotID: plan.iotID,
      temperature: rounded(warmthAt(plan.warmth, hour) + drift, 2),
    })
  }
  return readings
}

function warmthAt(warmth: Warmth, hour: number): number {
  const after = warmth.findIndex(([mark]) => mark >= hour)
  const [toHour, to] = warmth[after === -1 ? warmth.length - 1 : after] ?? [0, 0]
  const [fromHour, from] = warmth[after - 1] ?? [toHour, to]
  return toHour === fromHour ? to : from + ((to - from) * (hour - fromHour)) / (toHour - fromHour)
}

/** A number with so many decimals, never −0. */
export const rounded = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals + 0
