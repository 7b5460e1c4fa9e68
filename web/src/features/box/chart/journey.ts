import { intervals, isSilence, usualInterval } from '@befaqt/domain/cold-chain'
import { MINUTE_MS } from '@befaqt/domain/durations'
import { AT_MARKET_KM, kilometres, type Place } from '@befaqt/domain/place'
import type { ShownReading } from './readings.ts'

/** A time in which the sensor was silent: the indexes of the readings around it. */
type Silence = { from: number; to: number; minutes: number }

/** Where the sensor was silent for longer than twice as long as usual. Readings in time order. */
export function silences(readings: readonly { at: number }[]): Silence[] {
  const usual = usualInterval(readings)
  return intervals(readings).flatMap((interval, i) =>
    isSilence(interval, usual) ? [{ from: i, to: i + 1, minutes: interval.ms / MINUTE_MS }] : [],
  )
}

/** Indexes of readings in rows without a silence, in order. */
export function heardRows(count: number, silent: readonly Silence[]): number[][] {
  const starts = [0, ...silent.map(({ to }) => to)]
  return starts.map((start, i) =>
    Array.from({ length: (starts[i + 1] ?? count) - start }, (_, row) => start + row),
  )
}

/** A silence as it is drawn, in units of the drawing; `text` where there is room to say how long it was. */
type DrawnSilence = { x: number; end: number; minutes: number; hasText: boolean }

/** Narrower ones only break the line. */
const MIN_SILENCE = 4
/** How far apart two texts have to be. */
const TEXT_ROOM = 300

/** Silences that are wide enough to be seen; the longest of them are named where there is room. */
export function drawnSilences(
  silent: readonly Silence[],
  bars: readonly { centre: number }[],
): DrawnSilence[] {
  const wide = silent
    .map(({ from, to, minutes }) => ({ x: bars[from]?.centre ?? 0, end: bars[to]?.centre ?? 0, minutes }))
    .filter(({ x, end }) => end - x >= MIN_SILENCE)
  const named: number[] = []
  return wide
    .toSorted((a, b) => b.minutes - a.minutes)
    .map((silence) => {
      const middle = (silence.x + silence.end) / 2
      const hasText = named.every((other) => Math.abs(other - middle) >= TEXT_ROOM)
      if (hasText) named.push(middle)
      return { ...silence, hasText }
    })
}

/** Index of the warmest reading, the first of several; null without readings. */
export function peakOf(readings: readonly { temperature: number }[]): number | null {
  let peak: number | null = null
  for (const [i, { temperature }] of readings.entries())
    if (peak === null || temperature > (readings[peak]?.temperature ?? 0)) peak = i
  return peak
}

/** Index of the first reading at the market; null while the box is not there. */
export function arrivalOf(readings: readonly Pick<ShownReading, 'spot'>[], market: Place): number | null {
  const at = readings.findIndex(({ spot }) => spot !== null && kilometres(spot, market) <= AT_MARKET_KM)
  return at === -1 ? null : at
}

/** A moment of the journey that is named, by the index of its reading. */
export type Named = { name: string; index: number }

/**
 * What is named on the chart, in order of time, and what the first and the last point of the map are.
 * @param landed when the box came ashore, in milliseconds since 1970
 */
export function journeyNames(
  readings: readonly Pick<ShownReading, 'spot' | 'at'>[],
  market: Place,
  caught: boolean,
  landed?: number,
): { named: Named[]; ends: readonly [first: string, last: string] } {
  const arrival = arrivalOf(readings, market)
  const landing = landed === undefined ? -1 : readings.findIndex(({ at }) => at >= landed)
  return {
    named: [
      ...(caught ? [{ name: 'Caught', index: 0 }] : []),
      ...(landing === -1 ? [] : [{ name: 'Landed', index: landing }]),
      ...(arrival === null ? [] : [{ name: 'At market', index: arrival }]),
    ],
    ends: [caught ? 'Caught' : 'First', arrival === null ? 'Last' : 'At market'],
  }
}
