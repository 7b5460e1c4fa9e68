import type { Box, TrackingReading } from '@befaqt/domain/box'
import type { Place } from '@befaqt/domain/distance'
import { instantOf, shownTime } from '@befaqt/domain/market-time'
import { mapPoints, roundedTemperature, shownPositions, temperatureBand } from '@befaqt/domain/tracking'
import type { ShownReading } from './shown-reading.ts'

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

const place = ({ latitude, longitude }: Place): Place => ({ latitude, longitude })
const isLost = ({ latitude, longitude }: Place): boolean => latitude === 0 && longitude === 0
