import { away, mix, type Point } from './geometry.ts'
import { near } from './light.ts'
import type { Random } from './random.ts'
import { blob, oval, raised, surface } from './solid.ts'
import { group, inside, path, radial, tag } from './svg.ts'

/** Colours and habit of an oyster: rim of the shell, its pearl, meat, dark frill; how ragged the rim is. */
type OysterPaint = {
  rim: string
  pearl: string
  meat: string
  frill: string
  ragged: number
  long: number
}

const shrink = (points: readonly Point[], share: number, dx = 0, dy = 0): Point[] =>
  points.map(([x, y]) => [x * share + dx, y * share + dy])

/** An opened oyster in its deep shell, some 220 across, hinge downwards. */
export function oyster(paint: OysterPaint, random: Random): string {
  const rim = oval(random, 92, 92 * paint.long, paint.ragged)
  const steps = [1, 0.95, 0.9].map((share, index) =>
    surface(blob(shrink(rim, share)), {
      fill: index % 2 === 0 ? paint.rim : '#e9e2d2',
      dark: '#2a241c',
      strength: 0.45,
      edge: '#2a241c',
    }),
  )
  const cup = shrink(rim, 0.84)
  const [pearl, pearlFill] = radial(-20, -30, 130, [
    [0, '#ffffff'],
    [0.55, paint.pearl],
    [1, '#a9a8ae'],
  ])
  const meat = oval(random, 58, 66 * paint.long, 0.06, 11)
  const frill = Array.from(
    { length: 26 },
    (_, index): Point =>
      away(
        [2, 6],
        index * (360 / 26),
        (index % 2 === 0 ? 61 : 54) * mix(1, paint.long, Math.abs(Math.sin((index / 26) * Math.PI * 2))),
      ),
  )
  const belly = blob([
    [-26, -40],
    [14, -46],
    [32, -8],
    [22, 34],
    [-10, 46],
    [-34, 14],
  ])
  return (
    raised(4, 9, ...steps) +
    pearl +
    raised(4, 0, path(blob(cup), { fill: pearlFill })) +
    inside(
      blob(cup),
      path(blob(cup), {
        fill: 'none',
        stroke: '#4a4650',
        'stroke-width': 16,
        opacity: 0.45,
        filter: near(5),
        transform: 'translate(4 5)',
      }),
      tag('ellipse', {
        cx: 40,
        cy: 54 * paint.long,
        rx: 26,
        ry: 18,
        fill: '#8f7aa6',
        opacity: 0.35,
        filter: near(8),
      }),
      raised(4, 4, path(blob(frill), { fill: paint.frill })),
      raised(
        11,
        3,
        surface(blob(meat), { fill: paint.meat, dark: '#8a7a58', strength: 0.25, edge: paint.frill }),
      ),
      raised(11, 0, path(belly, { fill: '#fdf3dc' })),
      tag('circle', { cx: 20, cy: 30, r: 13, fill: '#d9cdb4', opacity: 0.9, filter: near(2) }),
    ) +
    group(
      { opacity: 0.85 },
      tag('ellipse', {
        cx: -20,
        cy: -26,
        rx: 15,
        ry: 6,
        fill: '#fff',
        transform: 'rotate(-38 -20 -26)',
        filter: near(1),
      }),
      tag('circle', { cx: 12, cy: -34, r: 4, fill: '#fff' }),
      tag('ellipse', { cx: -34, cy: 24, rx: 4, ry: 9, fill: '#fff', opacity: 0.8 }),
    )
  )
}

export const sydneyRock: OysterPaint = {
  rim: '#7d7263',
  pearl: '#efece6',
  meat: '#e6d8b8',
  frill: '#3c362f',
  ragged: 0.06,
  long: 1.12,
}
export const pacific: OysterPaint = {
  rim: '#a79c8c',
  pearl: '#f6f4f2',
  meat: '#ece3cf',
  frill: '#1f1d1f',
  ragged: 0.14,
  long: 1.42,
}
