import { house } from '../drawings/brand.ts'
import { line, mix, type Point, smooth } from '../drawings/geometry.ts'
import { group, inside, linear, path, tag } from '../drawings/svg.ts'
import { ease, written } from './strokes.ts'

const trace = smooth(
  [
    [0, 0.2],
    [1, 0.3],
    [2, 0.52],
    [3, 0.61],
    [4, 0.58],
    [5, 0.63],
    [6, 0.55],
    [7, 0.6],
    [8, 0.62],
    [9, 0.59],
    [10, 0.62],
  ],
  121,
)

/** The fish box with the logger's temperature being written over it. `picture` is the box as a data address. */
export function boxWithTrace(t: number, picture: string): string {
  const drift = 1.04 + t * 0.012
  const shown = Math.round(ease(t, 0.3, 2.6) * 120)
  const points = trace.slice(0, shown + 1).map(([x, y]): Point => [112 + (x / 10) * 440, 96 + y * 190])
  const end = points.at(-1) ?? [112, 190]
  const warmth = mix(3.4, 0.9, ease(t, 0.3, 1.2)) + Math.sin(t * 3) * 0.1
  return (
    group(
      { transform: `translate(640 360) scale(${drift}) translate(-640 -360)` },
      tag('image', { href: picture, width: 1280, height: 720 }),
    ) +
    tag('rect', {
      x: 64,
      y: 52,
      width: 536,
      height: 250,
      rx: 26,
      fill: '#0c1d25',
      opacity: 0.86 * ease(t, 0, 0.4),
    }) +
    group(
      { opacity: ease(t, 0.1, 0.5) },
      path('M112 130H552M112 190H552M112 250H552', { stroke: '#3d5a66', 'stroke-width': 2 }),
      tag('rect', { x: 112, y: 172, width: 440, height: 78, fill: '#2aa1a3', opacity: 0.2 }),
      path(line(points), {
        fill: 'none',
        stroke: '#7ff0d8',
        'stroke-width': 7,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
      }),
      tag('circle', { cx: end[0], cy: end[1], r: 11, fill: '#fff' }),
      written(`${warmth.toFixed(1)}°C`, 376, 68, 46, '#f4f8f7'),
    )
  )
}

const coast: readonly Point[] = [
  [760, -20],
  [736, 40],
  [752, 96],
  [716, 150],
  [690, 176],
  [700, 214],
  [660, 270],
  [620, 316],
  [596, 352],
  [606, 384],
  [570, 430],
  [540, 490],
  [528, 540],
  [496, 590],
  [470, 640],
  [452, 740],
]
const way = smooth(
  [
    [1010, 560],
    [930, 520],
    [820, 470],
    [700, 440],
    [600, 424],
    [572, 396],
    [590, 350],
    [606, 316],
  ],
  140,
)

/** The way from the sea to the market, drawn as it is travelled. */
export function map(t: number): string {
  const shown = Math.round(ease(t, 0.2, 2.2) * 139)
  const head = way[shown] ?? [0, 0]
  const [sea, seaFill] = linear(0, 0, 1280, 720, [
    [0, '#12444d'],
    [1, '#0a2c38'],
  ])
  const shore = smooth(coast, 120)
  const land = `${line(shore)}L-20 740L-20 -20Z`
  const depths = [34, 78, 132].map((shift, index) =>
    path(line(shore), {
      fill: 'none',
      stroke: '#2f7d86',
      'stroke-width': 2,
      opacity: 0.6 - index * 0.15,
      transform: `translate(${shift} 0)`,
    }),
  )
  const dots = way.slice(0, shown + 1).filter((_, index) => index % 6 === 0)
  const pulse = (t * 1.2) % 1
  return (
    sea +
    tag('rect', { width: 1280, height: 720, fill: seaFill }) +
    depths.join('') +
    path(land, { fill: '#dfe5d6' }) +
    inside(
      land,
      path(line(shore), { fill: 'none', stroke: '#a9b99c', 'stroke-width': 26, opacity: 0.6 }),
      path(
        'M-20 560C120 520 240 560 320 470S480 340 560 330M-20 210C160 220 260 160 420 190S560 300 590 340',
        { fill: 'none', stroke: '#b9cbd0', 'stroke-width': 6 },
      ),
    ) +
    dots.map(([x, y]) => tag('circle', { cx: x, cy: y, r: 6.5, fill: house.lamp })).join('') +
    tag('circle', {
      cx: way[0]?.[0],
      cy: way[0]?.[1],
      r: 13,
      fill: '#fff',
      stroke: house.lamp,
      'stroke-width': 6,
    }) +
    tag('circle', {
      cx: head[0],
      cy: head[1],
      r: 14 + pulse * 34,
      fill: 'none',
      stroke: '#fff',
      'stroke-width': 4,
      opacity: 1 - pulse,
    }) +
    group(
      { transform: `translate(${head[0]} ${head[1]}) scale(.72)` },
      path('M0 0C-46 -52 -52 -76 -52 -98a52 52 0 0 1 104 0C52 -76 46 -52 0 0Z', {
        fill: house.coral,
        stroke: '#fff',
        'stroke-width': 5,
      }),
      tag('circle', { cy: -98, r: 20, fill: '#fff6ea' }),
    )
  )
}
