import type { Bar } from './bar-chart.ts'

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
