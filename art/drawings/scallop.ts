import { away, closed, type Point } from './geometry.ts'
import { near } from './light.ts'
import type { Random } from './random.ts'
import { blob, oval, raised, surface } from './solid.ts'
import { inside, path, tag } from './svg.ts'

/** A scallop on its fan-shaped half shell, some 260 across. */
export function scallop(random: Random): string {
  const ribs = 15
  const rim = Array.from(
    { length: ribs * 2 + 1 },
    (_, index): Point =>
      away(
        [0, 60],
        -178 + (index / (ribs * 2)) * 176,
        (index % 2 === 0 ? 150 : 138) * (1 - Math.abs(index / (ribs * 2) - 0.5) * 0.18),
      ),
  )
  const d = closed([[-44, 112], ...rim, [44, 112], [0, 104]])
  const lines = rim.filter((_, index) => index % 2 === 1).map(([x, y]) => `M0 100L${x} ${y}`)
  const meat = oval(random, 56, 52, 0.04, 11).map(([x, y]): Point => [x - 8, y + 6])
  const roe = blob([
    [34, -36],
    [66, -18],
    [72, 26],
    [44, 62],
    [2, 68],
    [22, 44],
    [40, 20],
    [38, -8],
  ])
  return (
    raised(
      4,
      10,
      path(d, { fill: '#e9c9b2', stroke: '#8a4a34', 'stroke-width': 2 }),
      inside(
        d,
        path(d, { fill: 'none', stroke: '#b9573a', 'stroke-width': 50, opacity: 0.6, filter: near(12) }),
        path(lines.join(''), { stroke: '#8a4a34', 'stroke-width': 4, opacity: 0.45 }),
        path(lines.join(''), {
          stroke: '#fff',
          'stroke-width': 3,
          opacity: 0.5,
          transform: 'translate(-4 0)',
        }),
        tag('ellipse', { cx: 0, cy: 20, rx: 96, ry: 76, fill: '#fdf4ee', opacity: 0.75, filter: near(18) }),
      ),
    ) +
    raised(11, 6, surface(roe, { fill: '#f0703a', dark: '#a8320f', strength: 0.25 })) +
    raised(
      17,
      8,
      surface(blob(meat), { fill: '#fbf1df', dark: '#c9b48c', strength: 0.22, grain: 'streak' }),
    ) +
    tag('ellipse', {
      cx: -26,
      cy: -10,
      rx: 18,
      ry: 8,
      fill: '#fff',
      opacity: 0.85,
      filter: near(2),
      transform: 'rotate(-30 -26 -10)',
    }) +
    tag('ellipse', { cx: 58, cy: 4, rx: 4, ry: 14, fill: '#fff', opacity: 0.7, filter: near(2) })
  )
}
