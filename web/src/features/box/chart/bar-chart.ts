/** What a bar is drawn from: when, as milliseconds since 1970, and degrees Celsius. */
type ChartReading = { at: number; temperature: number }

/** A chart's size and the room around its plot, in units of its drawing. */
export type Frame = {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
}

/** One reading as a rectangle; `centre` and `tip` are the positions of its time and its temperature. */
export type Bar = { x: number; y: number; width: number; height: number; centre: number; tip: number }

export type BarChart = {
  bars: Bar[]
  /** Where 0 °C is, the foot of the bars. */
  zero: number
  yTicks: { y: number; value: number }[]
  xTicks: { x: number; at: number }[]
  /** Place of a time in the plot. */
  xOf: (at: number) => number
  /** Height of a temperature in the plot. */
  yOf: (temperature: number) => number
}

/** A straight line from a range of values to a range of places in the drawing. */
const linear =
  ([from, to]: readonly [number, number], [start, end]: readonly [number, number]) =>
  (value: number): number =>
    start + ((value - from) / (to - from)) * (end - start)

/** Size of the chart of readings. Source: spec §9. */
export const readingsFrame: Frame = { width: 600, height: 350, left: 48, right: 10, top: 40, bottom: 52 }

const MAX_BAR = 26
/** The narrowest bar; neighbours nearer than this can't be told apart. */
export const MIN_BAR = 1.5
const MINUTE = 60_000
const DAY = 1440 * MINUTE
const STEPS = [5, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080].map((minutes) => minutes * MINUTE)

/**
 * Bars on a true time axis, so that a silent sensor is a gap; readings in time order. `offsetAt` gives the clock's
 * distance from UTC in milliseconds at a time, so that the ticks fall on whole hours of that clock.
 */
export function barChart(
  readings: readonly ChartReading[],
  frame: Frame,
  offsetAt: (at: number) => number,
): BarChart {
  const degrees = temperatureTicks(readings)
  const yOf = linear([degrees[0] ?? 0, degrees.at(-1) ?? 0], [frame.height - frame.bottom, frame.top])
  const xOf = timeScale(readings, frame)
  const zero = yOf(0)
  const centres = readings.map(({ at }) => xOf(at))
  const bars = readings.map(({ temperature }, i) => {
    const centre = centres[i] ?? 0
    const width = barWidth(centres, i)
    const tip = yOf(temperature)
    return { x: centre - width / 2, y: Math.min(tip, zero), width, height: Math.abs(zero - tip), centre, tip }
  })
  const yTicks = degrees.map((value) => ({ y: yOf(value), value }))
  const xTicks = timeTicks(readings, offsetAt).map((at) => ({ x: xOf(at), at }))
  return { bars, zero, yTicks, xTicks, xOf, yOf }
}

/** Round figures around 0 °C, 8 °C and every reading. */
function temperatureTicks(readings: readonly ChartReading[]): number[] {
  let [low, high] = [0, 8]
  for (const { temperature } of readings) {
    low = Math.min(low, temperature)
    high = Math.max(high, temperature)
  }
  return roundTicks(low, high, 6)
}

function timeScale(readings: readonly ChartReading[], { width, left, right }: Frame) {
  const first = readings[0]?.at ?? 0
  const last = readings.at(-1)?.at ?? first
  const room = MAX_BAR / 2 + 2
  return linear(last > first ? [first, last] : [first - 1, first + 1], [left + room, width - right - room])
}

/** As wide as the nearest neighbour lets it, within what can be seen and what looks like a bar. */
function barWidth(centres: readonly number[], i: number): number {
  const here = centres[i] ?? 0
  const before = here - (centres[i - 1] ?? Number.NEGATIVE_INFINITY)
  const after = (centres[i + 1] ?? Number.POSITIVE_INFINITY) - here
  return Math.max(MIN_BAR, Math.min(MAX_BAR, 0.8 * Math.min(before, after)))
}

/** At most seven times on round hours of the clock, within the readings. */
function timeTicks(readings: readonly ChartReading[], offsetAt: (at: number) => number): number[] {
  const first = readings[0]?.at
  const last = readings.at(-1)?.at
  if (first === undefined || last === undefined) return []
  const step = STEPS.find((candidate) => (last - first) / candidate <= 6) ?? (last - first) / 6
  const ticks = clockTicks([first, last], step, offsetAt)
  return ticks.length > 0 ? ticks : [first]
}

/** When the clock shows whole steps, from `first` to `last`: with a step of a day its midnights. */
export function clockTicks(
  [first, last]: readonly [first: number, last: number],
  step: number,
  offsetAt: (at: number) => number,
): number[] {
  const ticks: number[] = []
  for (let clock = Math.ceil((first + offsetAt(first)) / step) * step; ; clock += step) {
    const at = instantOfClock(clock, offsetAt)
    if (at !== undefined && at > last) break
    if (at !== undefined && at >= first) ticks.push(at)
  }
  return ticks
}

/** When the clock shows `clock`, the later time of two; undefined where a change of clocks skips it. */
function instantOfClock(clock: number, offsetAt: (at: number) => number): number | undefined {
  const offsets = [clock + DAY, clock - DAY].map((near) => offsetAt(near))
  return offsets.map((offset) => clock - offset).find((at) => at + offsetAt(at) === clock)
}

/**
 * Index of the bar whose centre is nearest to `x`; null without bars. Bars are in the order of their centres, so that
 * 14 of 10,000 are looked at.
 */
export function nearestBar(bars: readonly { centre: number }[], x: number): number | null {
  if (bars.length === 0) return null
  let [low, high] = [0, bars.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bars[middle]?.centre ?? 0) < x) low = middle + 1
    else high = middle
  }
  const [before, after] = [bars[low - 1]?.centre, bars[low]?.centre ?? 0]
  return before !== undefined && x - before < after - x ? low - 1 : low
}

/** The first of 1, 2, 5, 10, 20, 50, … that is `least` or more. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find((figure) => figure * power >= least) ?? 10)
}

/** Round values, at most `most` steps of 1, 2 or 5 times a power of ten, that reach around `low` and `high`. */
export function roundTicks(low: number, high: number, most: number): number[] {
  const step = roundStep((high - low) / most)
  const first = Math.floor(low / step)
  const last = Math.ceil(high / step)
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step)
}

type Point = Pick<Bar, 'centre' | 'tip'>

/**
 * Indexes of the points that have to be drawn so that a drawing looks as with all of them: in each column of this width
 * the first, the warmest, the coldest and the last. A warmer one has a smaller `tip`. `row`: indexes in order of time.
 */
export function thinnedLine(row: readonly number[], points: readonly Point[], width: number): number[] {
  return columns(row, points, width).flatMap((column) => {
    const tip = (i: number): number => points[i]?.tip ?? 0
    const kept = new Set([column[0], column.at(-1), least(column, tip), least(column, (i) => -tip(i))])
    return column.length <= kept.size ? column : column.filter((i) => kept.has(i))
  })
}

/** Indexes of the bars that are drawn: of those in one column, which would cover one another, the warmest. */
export const warmestBars = (bars: readonly Point[], width: number): number[] =>
  columns([...bars.keys()], bars, width).flatMap((column) => least(column, (i) => bars[i]?.tip ?? 0) ?? [])

/** Neighbours in order of time that are in the same column. */
function columns(row: readonly number[], points: readonly Point[], width: number): number[][] {
  const found: number[][] = []
  let last = Number.NaN
  for (const i of row) {
    const column = Math.floor((points[i]?.centre ?? 0) / width)
    if (column === last) found.at(-1)?.push(i)
    else found.push([i])
    last = column
  }
  return found
}

const least = (column: readonly number[], of: (i: number) => number): number | undefined =>
  column.reduce<number | undefined>(
    (best, i) => (best === undefined || of(i) < of(best) ? i : best),
    undefined,
  )
