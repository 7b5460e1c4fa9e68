import { arc, away, closed, line, mixPoint, type Point, smooth } from './geometry.ts'
import { near } from './light.ts'
import { limb, raised, streak, widthAt } from './solid.ts'
import { inside, path, tag } from './svg.ts'

/** Colours of a prawn: shell, the dark edge of each ring, what shines through, legs and feelers, tail fan. */
type PrawnPaint = {
  shell: string
  ring: string
  deep: string
  legs: string
  feeler: string
  fan: string
  fanTip: string
}

const spine: readonly Point[] = [
  [20, 6],
  [130, -30],
  [270, -62],
  [400, -66],
  [520, -44],
  [620, 10],
  [690, 92],
  [722, 190],
  [712, 290],
]
const widths = [44, 112, 150, 152, 144, 132, 114, 92, 60]
const track = smooth(spine, 91)

const center = (t: number): Point => track[Math.round(t * 90)] ?? [0, 0]

function side(t: number, sign: number, share = 1): Point {
  const [before, after] = [center(Math.max(0, t - 0.02)), center(Math.min(1, t + 0.02))]
  const length = Math.hypot(after[0] - before[0], after[1] - before[1]) || 1
  const half = (widthAt(widths, t) / 2) * sign * share
  const [x, y] = center(t)
  return [x - ((after[1] - before[1]) / length) * half, y + ((after[0] - before[0]) / length) * half]
}

const stretch = (from: number, to: number, sign: number, share = 1): Point[] =>
  Array.from({ length: 13 }, (_, step) => side(from + ((to - from) * step) / 12, sign, share))

/** One ring of shell from `from` to `to`, its rear edge bulging over the next, its cheek hanging below. */
function shellRing(from: number, to: number, paint: PrawnPaint): string {
  const rear = smooth(
    [side(to, -1), mixPoint(center(to), center(Math.min(1, to + 0.05)), 0.7), side(to, 1, 1.12)],
    9,
  )
  const cheek = away(mixPoint(side(from, 1), side(to, 1), 0.6), 90 + from * -70, 20)
  const d = closed([...stretch(from, to, -1), ...rear, cheek, ...stretch(from, to, 1).reverse()])
  return (
    path(d, { fill: paint.shell, 'fill-opacity': 0.94 }) +
    inside(
      d,
      path(closed([...stretch(from, to, 1, 0.2), ...stretch(from, to, 1, 1.2).reverse()]), {
        fill: '#fff',
        opacity: 0.25,
        filter: near(8),
      }),
      path(line(rear), {
        fill: 'none',
        stroke: paint.ring,
        'stroke-width': 24,
        opacity: 0.75,
        filter: near(5),
      }),
      path(line(stretch(from, to, -1, 0.45)), {
        fill: 'none',
        stroke: paint.deep,
        'stroke-width': 16,
        opacity: 0.45,
        filter: near(5),
      }),
    ) +
    path(line(rear), { fill: 'none', stroke: paint.ring, 'stroke-width': 2.5, opacity: 0.85 })
  )
}

function fan(paint: PrawnPaint): string {
  const root = center(1)
  return [-34, -14, 8, 28]
    .map((turn) => {
      const tip = away(root, 92 + turn, 150)
      const d = closed(limb([away(root, 92 + turn, -26), away(root, 92 + turn, 70), tip], [26, 56, 16], 20))
      return (
        path(d, { fill: paint.fan, stroke: paint.ring, 'stroke-width': 2 }) +
        inside(
          d,
          tag('circle', {
            cx: tip[0],
            cy: tip[1],
            r: 62,
            fill: paint.fanTip,
            opacity: 0.85,
            filter: near(12),
          }),
        ) +
        path(arc(root, away(root, 92 + turn, 60), tip), {
          fill: 'none',
          stroke: '#fff',
          'stroke-width': 2,
          opacity: 0.4,
        })
      )
    })
    .join('')
}

function legs(paint: PrawnPaint): string {
  const walking = Array.from({ length: 5 }, (_, step): Point[] => {
    const root = side(0.14 + step * 0.045, 1, 0.8)
    return [root, away(root, 118 + step * 4, 92), away(away(root, 118 + step * 4, 92), 165 - step * 12, 96)]
  })
  const swimming = Array.from({ length: 5 }, (_, step): Point[] => {
    const root = side(0.42 + step * 0.1, 1, 0.9)
    return [root, away(root, 105 + step * 17, 46), away(root, 120 + step * 18, 88)]
  })
  return (
    walking
      .map((points) =>
        path(closed(limb(points, [13, 10, 4], 24)), {
          fill: paint.legs,
          stroke: paint.ring,
          'stroke-width': 1,
          'stroke-opacity': 0.5,
        }),
      )
      .join('') +
    swimming
      .map((points) =>
        path(closed(limb(points, [20, 28, 8], 20)), {
          fill: paint.legs,
          stroke: paint.ring,
          'stroke-width': 1.2,
          'stroke-opacity': 0.6,
        }),
      )
      .join('')
  )
}

function carapace(paint: PrawnPaint): string {
  const beak = Array.from({ length: 7 }, (_, step) => `L${40 - step * 24} ${-52 + step * 9}l-8 -17`).join('')
  const d = closed([
    ...stretch(0, 0.36, -1),
    ...smooth([side(0.36, -1), [372, -50], side(0.35, 1), [240, 66]], 14),
    ...stretch(0, 0.26, 1).reverse(),
  ])
  return (
    path(`M150 -88${beak}L-150 -6L40 -24Z`, { fill: paint.shell, stroke: paint.ring, 'stroke-width': 2 }) +
    path(d, { fill: paint.shell }) +
    inside(
      d,
      tag('ellipse', { cx: 250, cy: -76, rx: 110, ry: 40, fill: paint.deep, opacity: 0.6, filter: near(18) }),
      tag('ellipse', { cx: 190, cy: 34, rx: 140, ry: 26, fill: '#fff', opacity: 0.35, filter: near(12) }),
      path('M60 -18Q180 -40 300 0M120 -52Q150 0 140 40', {
        fill: 'none',
        stroke: paint.ring,
        'stroke-width': 4,
        opacity: 0.4,
        filter: near(2),
      }),
      path(line(smooth([side(0.36, -1), [372, -50], side(0.35, 1)], 12)), {
        fill: 'none',
        stroke: paint.ring,
        'stroke-width': 22,
        opacity: 0.6,
        filter: near(5),
      }),
    )
  )
}

function feelers(paint: PrawnPaint): string {
  const long = [
    'M10 10C-260 -10 -420 160 -240 300S220 330 420 420',
    'M10 4C-220 -90 -420 -40 -400 140S-220 380 60 420',
  ]
  const short = ['M10 -6C-80 -40 -160 -40 -230 -70', 'M10 0C-90 -10 -160 10 -220 0']
  return (
    path(long.join(''), {
      fill: 'none',
      stroke: paint.feeler,
      'stroke-width': 4.5,
      'stroke-linecap': 'round',
    }) +
    path(short.join(''), { fill: 'none', stroke: paint.feeler, 'stroke-width': 4 }) +
    path('M40 16Q-40 30 -110 4Q-40 -6 36 0Z', { fill: paint.legs, stroke: paint.ring, 'stroke-width': 1.5 })
  )
}

const eye =
  tag('circle', { cx: 22, cy: -22, r: 19, fill: '#0d0c0d' }) +
  tag('circle', { cx: 16, cy: -29, r: 6, fill: '#fff', opacity: 0.9 })

/** A whole prawn on its side, head to the left, some 900 by 500, with its shadow. */
export function prawn(paint: PrawnPaint, withFeelers = true): string {
  const rings = [
    [0.84, 1],
    [0.72, 0.86],
    [0.6, 0.74],
    [0.49, 0.63],
    [0.4, 0.52],
    [0.3, 0.43],
  ] as const
  return (
    raised(2, 12, withFeelers ? feelers(paint) : '', legs(paint), fan(paint)) +
    raised(17, 18, rings.map(([from, to]) => shellRing(from, to, paint)).join(''), carapace(paint)) +
    eye +
    path(line(stretch(0.08, 0.92, -1, 0.62)), {
      fill: 'none',
      stroke: '#fffdf4',
      'stroke-width': 9,
      'stroke-dasharray': '58 16',
      'stroke-linecap': 'round',
      opacity: 0.55,
      filter: near(3),
    })
  )
}

/** A peeled tail with its fan left on. */
export function peeledPrawn(paint: PrawnPaint): string {
  const d = closed([
    ...stretch(0.3, 1, -1, 1.08),
    ...stretch(0.3, 1, 1, 1.08).reverse(),
    ...smooth([side(0.3, 1, 1.08), away(center(0.3), 178, 54), side(0.3, -1, 1.08)], 12),
  ])
  const folds = [0.42, 0.52, 0.62, 0.72, 0.82].map((t) =>
    path(line([side(t, -1, 1.08), center(Math.min(1, t + 0.03)), side(t, 1, 1.08)]), {
      fill: 'none',
      stroke: paint.ring,
      'stroke-width': 9,
      opacity: 0.85,
      filter: near(5),
    }),
  )
  return (
    raised(2, 10, fan(paint)) +
    raised(
      11,
      16,
      path(d, { fill: paint.shell }) +
        inside(
          d,
          ...folds,
          path(line(stretch(0.3, 0.96, -1, 0.8)), {
            fill: 'none',
            stroke: paint.deep,
            'stroke-width': 14,
            opacity: 0.55,
            filter: near(5),
          }),
        ),
    ) +
    streak(side(0.36, -1, 0.5), side(0.55, -1, 0.6), side(0.76, -1, 0.5), 10, 0.7)
  )
}

export const kingPrawn: PrawnPaint = {
  shell: '#e3c9a0',
  ring: '#9a5a34',
  deep: '#8a6a4c',
  legs: '#e8b98a',
  feeler: '#b5512f',
  fan: '#d8b884',
  fanTip: '#2a6fb8',
}
export const schoolPrawn: PrawnPaint = {
  shell: '#e6d6bd',
  ring: '#a08262',
  deep: '#7d7058',
  legs: '#e9cfae',
  feeler: '#b5764a',
  fan: '#d9c3a0',
  fanTip: '#7d8a5c',
}
export const cookedPrawn: PrawnPaint = {
  shell: '#f58a4b',
  ring: '#d1401f',
  deep: '#c93f1d',
  legs: '#f39a62',
  feeler: '#d94a22',
  fan: '#f07a3c',
  fanTip: '#b5391d',
}
export const rawMeat: PrawnPaint = { ...kingPrawn, shell: '#fbeee6', ring: '#eda58c', deep: '#d98f7c' }
