import type { Flesh } from './flesh.ts'
import { closed, type Point, ring } from './geometry.ts'
import { near } from './light.ts'
import { blob, raised, surface } from './solid.ts'
import { inside, path, tag } from './svg.ts'

const filletShape: readonly Point[] = [
  [0, 0],
  [70, -74],
  [220, -116],
  [430, -112],
  [640, -74],
  [810, -32],
  [870, 0],
  [810, 26],
  [640, 66],
  [430, 100],
  [220, 104],
  [70, 66],
]

const chevrons = (count: number, length: number, height: number, lean = 40): string =>
  Array.from({ length: count }, (_, index) => {
    const x = 40 + (index / count) * length
    return `M${x - lean} ${-height}Q${x + lean * 0.3} ${-height * 0.5} ${x + lean} 0Q${x + lean * 0.3} ${height * 0.5} ${x - lean} ${height}`
  }).join('')

/** A fillet, flesh side up, some 870 long. `stout` widens it. */
export function filletFlesh(colors: Flesh, stout = 1): string {
  const shape = filletShape.map(([x, y]): Point => [x, y * stout])
  const d = closed(ring(shape, 140))
  return (
    raised(
      26,
      18,
      path(d, { fill: colors.flesh }),
      inside(
        d,
        path(chevrons(26, 850, 150 * stout), {
          fill: 'none',
          stroke: colors.flake,
          'stroke-width': 5,
          opacity: 0.75,
          filter: near(2),
        }),
        path(chevrons(26, 850, 150 * stout), {
          fill: 'none',
          stroke: '#fff',
          'stroke-width': 3,
          opacity: 0.35,
          filter: near(1),
          transform: 'translate(7 0)',
        }),
        path('M20 2Q400 -8 860 0', {
          fill: 'none',
          stroke: colors.middle,
          'stroke-width': 26,
          opacity: 0.55,
          filter: near(5),
        }),
        path(d, { fill: 'none', stroke: colors.rim, 'stroke-width': 20, opacity: 0.6, filter: near(5) }),
        path(d, { fill: '#fff', opacity: 0.2, filter: 'url(#cloud)' }),
      ),
    ) +
    tag('ellipse', {
      cx: 330,
      cy: -56 * stout,
      rx: 170,
      ry: 9,
      fill: '#fff',
      opacity: 0.7,
      filter: near(5),
      transform: 'rotate(2 330 -56)',
    })
  )
}

/** The same fillet with the skin up. */
export function filletSkin(colors: Flesh, stout = 1, marks = ''): string {
  const d = closed(
    ring(
      filletShape.map(([x, y]): Point => [x, y * stout]),
      140,
    ),
  )
  const rows = Array.from({ length: 17 }, (_, row) => {
    const y = (-112 + row * 14) * stout
    return Array.from(
      { length: 62 },
      (_, column) => `M${column * 14 + (row % 2) * 7} ${y - 7}q9 7 0 14`,
    ).join('')
  })
  return (
    raised(
      26,
      18,
      path(d, { fill: colors.flesh, stroke: colors.flesh, 'stroke-width': 16 }),
      surface(d, colors.skin),
      inside(
        d,
        path(rows.join(''), { fill: 'none', stroke: '#000', 'stroke-width': 1.6, opacity: 0.3 }),
        path(rows.join(''), {
          fill: 'none',
          stroke: '#fff',
          'stroke-width': 1.4,
          opacity: 0.4,
          transform: 'translate(-3 0)',
        }),
        tag('rect', {
          x: -20,
          y: 30 * stout,
          width: 920,
          height: 100 * stout,
          fill: '#fff',
          opacity: 0.45,
          filter: near(18),
        }),
        marks,
      ),
    ) +
    tag('ellipse', { cx: 330, cy: -58 * stout, rx: 190, ry: 10, fill: '#fff', opacity: 0.6, filter: near(5) })
  )
}

/** A round cutlet across the fish, bone in the middle, some 340 across. */
export function cutlet(colors: Flesh): string {
  const d = blob(
    [
      [0, -150],
      [80, -132],
      [142, -60],
      [150, 30],
      [110, 110],
      [52, 158],
      [34, 92],
      [0, 66],
      [-34, 92],
      [-52, 158],
      [-110, 110],
      [-150, 30],
      [-142, -60],
      [-80, -132],
    ],
    160,
  )
  const flakes = [0.9, 0.76, 0.62, 0.48, 0.34].map(
    (share) =>
      `M${-150 * share} ${40 * share}C${-140 * share} ${-130 * share} ${-30 * share} ${-170 * share} 0 ${-60 * share}C${30 * share} ${-170 * share} ${140 * share} ${-130 * share} ${150 * share} ${40 * share}`,
  )
  return (
    raised(
      26,
      22,
      path(d, { fill: colors.flesh, stroke: colors.skin.fill, 'stroke-width': 13 }),
      inside(
        d,
        path(flakes.join(''), {
          fill: 'none',
          stroke: colors.flake,
          'stroke-width': 6,
          opacity: 0.8,
          filter: near(2),
        }),
        path('M-150 20Q0 -20 150 20', {
          fill: 'none',
          stroke: colors.middle,
          'stroke-width': 16,
          opacity: 0.4,
          filter: near(5),
        }),
        tag('ellipse', { cx: 0, cy: 96, rx: 30, ry: 40, fill: '#c9836d', opacity: 0.5, filter: near(8) }),
      ),
      tag('circle', { cx: 0, cy: 4, r: 21, fill: '#f6ead6', stroke: '#c98f78', 'stroke-width': 5 }),
      tag('circle', { cx: 0, cy: 4, r: 8, fill: '#d9a58c' }),
    ) +
    tag('ellipse', {
      cx: -64,
      cy: -84,
      rx: 46,
      ry: 10,
      fill: '#fff',
      opacity: 0.75,
      filter: near(3),
      transform: 'rotate(-34 -64 -84)',
    })
  )
}
