import type { ShownReading } from './readings.ts'

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
