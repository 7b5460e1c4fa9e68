import { assess, sensorResultOf } from '@befaqt/domain/assessment'
import { type Box, Box as BoxSchema, type FreshnessEntry, type TrackingReading } from '@befaqt/domain/box'
import { instantOf, MARKET_TIME_ZONE, marketTime } from '@befaqt/domain/market-time'
import { slugOf } from '@befaqt/domain/species'
import { between, type Random, randomFrom } from '../drawings/random.ts'
import type { BoxPlan } from './box-plan.ts'
import { readingsOf, rounded } from './logger.ts'
import { MARKET, type Point, roads, seaways } from './routes.ts'
import { smellFile } from './smell.ts'
import type { Leg } from './track.ts'

const HOUR_MS = 3_600_000
const TESTS = 2
/** Hours before the end of the history at which market staff look at and smell a fish. */
const EYE_BEFORE_END = 0.35
const NOSE_BEFORE_END = 0.2

export type SampleBox = { box: Box; dataFiles: { name: string; text: string }[] }

/** A whole Box from its plan: the same plan always gives the same Box. @throws when the Box would be refused */
export function makeBox(plan: BoxPlan): SampleBox {
  const random = randomFrom(plan.boxID)
  const caughtAt = instantOf(plan.catch.time, MARKET_TIME_ZONE)
  if (caughtAt === undefined) throw new Error(`${plan.boxID}: no time of catch`)
  const timeAt = (hour: number): string => marketTime(caughtAt + hour * HOUR_MS, MARKET_TIME_ZONE)
  const legs = legsOf(plan)
  const { iced: from, every, iotID, warmth, lost, silent } = plan
  const logger = {
    iotID,
    from,
    to: plan.hours.end,
    every,
    warmth,
    legs,
    ...(lost && { lost }),
    ...(silent && { silent }),
  }
  const readings = readingsOf(logger, caughtAt, random)
  const smell = nose(plan, timeAt, random)
  const box = BoxSchema.parse({
    boxID: plan.boxID,
    fisher: plan.fisher,
    catchProv: caught(plan),
    iotResult: sensed(readings),
    imageProc: eye(plan, timeAt, random),
    e_nose: smell.results,
    freshness: [],
  })
  return { box: { ...box, freshness: history(box, plan, timeAt) }, dataFiles: smell.files }
}

const seaway = ({ port, ground = 0 }: BoxPlan): readonly Point[] => seaways[port].slice(ground)

function legsOf(plan: BoxPlan): Leg[] {
  const { port, hours } = plan
  const { homeward, landed, leaves, market, end } = hours
  const sea: Leg = { points: seaway(plan), from: homeward, to: landed ?? end + 1 }
  return leaves === undefined || market === undefined
    ? [sea]
    : [sea, { points: roads[port], from: leaves, to: market }]
}

function caught(plan: BoxPlan): Box['catchProv'] {
  const { time, ...fish } = plan.catch
  const [latitude, longitude] = seaway(plan)[0] ?? MARKET
  return {
    time,
    boat: plan.fisher.boat,
    latitude,
    longitude,
    locationCodeLat: rounded(latitude, 1),
    locationCodeLong: rounded(longitude, 1),
    ...fish,
  }
}

function sensed(iotTracking: TrackingReading[]): Box['iotResult'] {
  const result = sensorResultOf(iotTracking, MARKET_TIME_ZONE)
  return result && { ...result, operator: 'Box logger (sample)', iotTracking }
}

const atMarket = { latitude: MARKET[0], longitude: MARKET[1] }
const SKIN = { fresh: 'bright', fair: 'less bright', poor: 'dull' } as const
const EYE = { fresh: 'clear', fair: 'slightly cloudy', poor: 'sunken' } as const

function eye({ eye: found, catch: fish, hours }: BoxPlan, timeAt: (hour: number) => string, random: Random) {
  if (found === undefined) return []
  const look = { fish: fish.species, eye: EYE[found.eye], skin: SKIN[found.eye] }
  const sure = (): number => rounded(found.confidence - between(random, 0, 0.04), 3)
  const images = [`box/eye-${slugOf(fish.species)}.webp`, `box/skin-${slugOf(fish.species)}.webp`]
  return [
    {
      operator: 'E-eye, auction floor (sample)',
      imgScore: found.score,
      time: timeAt(hours.end - EYE_BEFORE_END),
      ...atMarket,
      overallResult: { ...look, confidence: found.confidence },
      resultPerImage: images.map((image) => ({ image, ...look, confidence: sure() })),
    },
  ]
}

function nose({ boxID, nose: found, hours }: BoxPlan, timeAt: (hour: number) => string, random: Random) {
  if (found === undefined) return { results: [], files: [] }
  const tests = Array.from({ length: TESTS }, (_, i) => {
    const noseScore = rounded(Math.min(1, found.score + between(random, -0.02, 0.02)), 3)
    return { name: `enose/${boxID}-${i + 1}.csv`, noseScore, text: smellFile(noseScore, random) }
  })
  const { score: noseScore, confidence } = found
  const result = {
    operator: 'E-nose, auction floor (sample)',
    noseScore,
    confidence,
    time: timeAt(hours.end - NOSE_BEFORE_END),
    ...atMarket,
    resultPerTest: tests.map((test) => ({
      noseScore: test.noseScore,
      confidence: rounded(confidence - between(random, 0, 0.05), 3),
      sensingData: test.name,
    })),
  }
  return { results: [result], files: tests.map(({ name, text }) => ({ name, text })) }
}

/** Freshness as it stood when landed, at the market, and after each result: only what was known by then goes in. */
function history(box: Box, { hours }: BoxPlan, timeAt: (hour: number) => string): FreshnessEntry[] {
  const moments = [
    hours.landed,
    hours.market,
    ...(box.imageProc.length > 0 ? [hours.end - EYE_BEFORE_END] : []),
    ...(box.e_nose.length > 0 ? [hours.end - NOSE_BEFORE_END] : []),
    hours.end,
  ]
  return moments.flatMap((hour) => {
    if (hour === undefined) return []
    const time = timeAt(hour)
    const entry = assess(knownBy(box, time), time, MARKET_TIME_ZONE)
    return entry === null ? [] : [entry]
  })
}

/** Market times of one month compare as text. */
function knownBy(box: Box, time: string): Box {
  const before = <T extends { time: string }>(list: T[]): T[] => list.filter((item) => item.time <= time)
  const { iotResult } = box
  return {
    ...box,
    iotResult: iotResult && { ...iotResult, iotTracking: before(iotResult.iotTracking) },
    imageProc: before(box.imageProc),
    e_nose: before(box.e_nose),
  }
}
