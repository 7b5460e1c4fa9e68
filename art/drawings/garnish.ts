import { away, closed } from './geometry.ts'
import { near } from './light.ts'
import { raised } from './solid.ts'
import { path, radial, tag } from './svg.ts'

/** Half a lemon, cut side up, some 200 across. */
export function lemon(): string {
  const parts = Array.from({ length: 9 }, (_, index) => {
    const turn = index * 40
    return closed([
      away([0, 0], turn + 20, 8),
      away([0, 0], turn + 4, 72),
      away([0, 0], turn + 20, 78),
      away([0, 0], turn + 36, 72),
    ])
  })
  return (
    raised(7, 10, tag('circle', { r: 100, fill: '#f2c52e' })) +
    tag('circle', { r: 88, fill: '#fdf6d8' }) +
    raised(
      4,
      0,
      path(parts.join(''), {
        fill: '#f7db5a',
        stroke: '#fff3b0',
        'stroke-width': 4,
        'stroke-linejoin': 'round',
      }),
    ) +
    tag('ellipse', {
      cx: -30,
      cy: -34,
      rx: 26,
      ry: 8,
      fill: '#fff',
      opacity: 0.75,
      filter: near(3),
      transform: 'rotate(-40 -30 -34)',
    })
  )
}

/** A round enamel plate, `r` in radius, squashed to lie on the counter. */
export function plate(r: number, fill = '#22343d'): string {
  const [shine, paint] = radial(-r * 0.4, -r * 0.5, r * 1.7, [
    [0, '#5d7884'],
    [0.4, fill],
    [1, '#0d181d'],
  ])
  return (
    shine +
    raised(7, 26, tag('ellipse', { rx: r, ry: r * 0.68, fill: paint })) +
    tag('ellipse', {
      rx: r * 0.88,
      ry: r * 0.58,
      fill: 'none',
      stroke: '#000',
      'stroke-width': 8,
      opacity: 0.4,
      filter: near(3),
    }) +
    tag('ellipse', {
      rx: r * 0.985,
      ry: r * 0.665,
      fill: 'none',
      stroke: '#d8e6ea',
      'stroke-width': 3,
      opacity: 0.7,
    })
  )
}

/** A sprig of dill-like sea herb. */
export function sprig(): string {
  const leaves = Array.from({ length: 14 }, (_, index) => {
    const [x, y] = [index * 13, -Math.sin(index / 5) * 30]
    return `M${x} ${y}q16 ${index % 2 === 0 ? -34 : 30} 46 ${index % 2 === 0 ? -38 : 34}M${x} ${y}q6 ${index % 2 === 0 ? -26 : 24} 20 ${index % 2 === 0 ? -42 : 40}`
  })
  const d = `M-40 10Q60 -40 190 -20${leaves.join('')}`
  return (
    path(d, {
      fill: 'none',
      stroke: '#0d2a18',
      'stroke-width': 8,
      opacity: 0.3,
      filter: near(5),
      transform: 'translate(5 10)',
    }) +
    path(d, { fill: 'none', stroke: '#3f8a4e', 'stroke-width': 6, 'stroke-linecap': 'round' }) +
    path(d, {
      fill: 'none',
      stroke: '#a5d98a',
      'stroke-width': 2,
      opacity: 0.7,
      transform: 'translate(-1 -1.5)',
    })
  )
}
