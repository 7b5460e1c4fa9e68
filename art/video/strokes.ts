import { group, path } from '../drawings/svg.ts'

/** Figures and signs as strokes on a grid of 40×72, in the hand of the wordmark. */
const figures: Record<string, string> = {
  0: 'M20 2C34 2 38 18 38 36S34 70 20 70 2 54 2 36 6 2 20 2Z',
  1: 'M8 16L24 4V70',
  2: 'M4 18C6 -4 38 -2 36 20C35 36 8 50 4 70H38',
  3: 'M4 10C20 -6 40 6 35 22C32 32 24 33 16 33C28 33 38 40 37 52C36 74 8 76 3 58',
  4: 'M28 70V4L3 50H38',
  5: 'M34 4H10L6 34C20 24 38 30 37 50C36 74 10 76 3 60',
  6: 'M32 4C12 14 3 34 3 50C4 76 38 76 38 50C37 30 10 28 4 46',
  7: 'M4 4H37L16 70',
  8: 'M20 34C4 32 2 4 20 3C38 4 36 32 20 34C0 36 -2 70 20 70C42 70 40 36 20 34Z',
  9: 'M8 68C28 58 37 38 37 24C36 -4 3 -4 3 24C4 44 30 44 36 28',
  '.': 'M14 69V70',
  '°': 'M14 4a9 9 0 1 1 -.01 0z',
  C: 'M38 16C28 -4 2 0 2 36S28 76 38 56',
  ' ': '',
}

/** Text in figures, `height` units high, its upper left corner at (x, y). */
export function written(text: string, x: number, y: number, height: number, ink: string): string {
  const marks = [...text].map((sign, index) =>
    path(figures[sign] ?? '', { transform: `translate(${index * 52} 0)` }),
  )
  return group(
    {
      transform: `translate(${x} ${y}) scale(${height / 72})`,
      fill: 'none',
      stroke: ink,
      'stroke-width': 9,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    },
    ...marks,
  )
}

/** 0 before `from`, 1 after `to`, gentle between. */
export function ease(t: number, from: number, to: number): number {
  const share = Math.min(1, Math.max(0, (t - from) / (to - from)))
  return share * share * (3 - 2 * share)
}
