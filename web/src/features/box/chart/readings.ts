import type { Box, TrackingReading } from '@befaqt/domain/box'
import { instantOf, shownTime } from '@befaqt/domain/market-time'
import type { Place } from '@befaqt/domain/place'
import {
  mapPoints,
  roundedTemperature,
  shownPositions,
  type TemperatureBand,
  temperatureBand,
  temperatureText,
} from '@befaqt/domain/tracking'

type Timed = TrackingReading & { at: number }

/** Readings of a box in time order; of those at the same time in the order that they came. */
function inTimeOrder(box: Box, timeZone: string): Timed[] {
  const readings = box.iotResult?.iotTracking ?? []
  return readings
    .map((reading) => ({ ...reading, at: instantOf(reading.time, timeZone) ?? 0 }))
    .sort((a, b) => a.at - b.at)
}

/** Every tracking entry as the page shows it. Display rules: spec §5 and §9. */
export function shownReadings(box: Box, timeZone: string): ShownReading[] {
  const ordered = inTimeOrder(box, timeZone)
  const onMap = new Set(mapPoints(ordered))
  return shownPositions(ordered).map((shown, i) => {
    const own = ordered[i]
    const { date, time } = shownTime(shown.time, timeZone)
    const temperature = roundedTemperature(shown.temperature)
    return {
      key: `${shown.at} ${i}`,
      at: shown.at,
      date,
      clock: time,
      temperature,
      band: temperatureBand(temperature).word,
      sensor: shown.iotID,
      place: isLost(shown) ? null : place(shown),
      spot: own && onMap.has(own) ? place(own) : null,
    }
  })
}

/** The readings `after`, of which those that were there `before` stay the same objects; `before` where all are. */
export function sharedReadings(
  before: readonly ShownReading[],
  after: readonly ShownReading[],
): readonly ShownReading[] {
  if (before === after) return before
  const shared = after.map((reading, i) => {
    const kept = before[i]
    return kept !== undefined && JSON.stringify(kept) === JSON.stringify(reading) ? kept : reading
  })
  const isAsBefore = shared.length === before.length && shared.every((reading, i) => reading === before[i])
  return isAsBefore ? before : shared
}

const place = ({ latitude, longitude }: Place): Place => ({ latitude, longitude })
const isLost = ({ latitude, longitude }: Place): boolean => latitude === 0 && longitude === 0

/** Temperature bands of spec §9, in words. */
export type Band = TemperatureBand['word']

/** A tracking entry as the page shows it everywhere: on the map, in the charts and in the table. */
export type ShownReading = {
  /** Tells it from every other reading of the box. */
  key: string
  /** Milliseconds since 1970. */
  at: number
  /** Market date and HH:MM. */
  date: string
  clock: string
  /** Degrees Celsius, two decimals. */
  temperature: number
  band: Band
  sensor: string
  /** Where it is listed: a position that was lost repeats the last one known. Null before the first. */
  place: Place | null
  /** Where it is on the map; null when the entry itself has no position. */
  spot: Place | null
}

/** '2.31 °C', with a real minus sign. */
export const degrees = (temperature: number): string => `${temperatureText(temperature).replace('-', '−')} °C`

/** '-33.12345, 151.20000' as the panels list places. */
export const coordinates = ({ latitude, longitude }: Place): string =>
  `${latitude.toFixed(5)} / ${longitude.toFixed(5)}`.replaceAll('-', '−')

/** One reading in a sentence, for who hears the page. */
export const readingText = ({ date, clock, temperature, band, place }: ShownReading): string =>
  `${date} ${clock}, ${degrees(temperature)}, ${band}${place ? `, at ${coordinates(place)}` : ''}`

const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
}

/** Where a key leads from reading `from` (-1: none yet) of `count`; null when the key means nothing here. */
export function keyedReading(key: string, from: number, count: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = Object.hasOwn(steps, key) ? (steps[key] ?? 0) : null
  return step === null ? null : Math.max(0, Math.min(count - 1, from + step))
}

/** A row of the table of readings: a day that begins, or a reading by its index. */
export type TableRow = { day: string; index: number | null }

/** Readings grouped by day; each day is a row of its own before its first reading. */
export const tableRows = (readings: readonly Pick<ShownReading, 'date'>[]): TableRow[] =>
  readings.flatMap(({ date }, index) => [
    ...(date === readings[index - 1]?.date ? [] : [{ day: date, index: null }]),
    { day: date, index },
  ])

/** So many rows are rendered at once; shorter tables are rendered whole, also without script. */
export const WHOLE = 240
/** Of longer tables only so many rows are rendered, and so many of them above the visible ones. */
const WINDOW = 60
const ABOVE = 20

/** Which rows of a long table are there while row `top` is the first in sight: from, and up to before. */
export function rowWindow(count: number, top: number): readonly [from: number, to: number] {
  if (count <= WHOLE) return [0, count]
  const step = Math.floor(Math.max(0, top) / ABOVE) * ABOVE
  const from = Math.max(0, Math.min(step - ABOVE, count - WINDOW))
  return [from, Math.min(count, from + WINDOW)]
}
