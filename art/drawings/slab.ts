import type { Flesh } from './flesh.ts'
import { closed, type Point, ring } from './geometry.ts'
import { near } from './light.ts'
import { between, type Random } from './random.ts'
import { raised } from './solid.ts'
import { inside, path, tag } from './svg.ts'
/** A thick block cut with a straight knife: top face with its grain, front face in shade; `thick` high. */
export function block(colors: Flesh, random: Random, length: number, depth: number, thick: number): string {
  const corners: readonly Point[] = [
    [0, 0],
    [length * 0.5, -depth * 0.07],
    [length, -depth * 0.02],
    [length * 1.06, depth * 0.98],
    [length * 0.5, depth * 1.05],
    [-length * 0.04, depth],
  ]
  const top = closed(corners)
  const front = closed([
    [-length * 0.04, depth],
    [length * 0.5, depth * 1.05],
    [length * 1.06, depth * 0.98],
    [length * 1.05, depth * 0.98 + thick],
    [length * 0.5, depth * 1.05 + thick],
    [-length * 0.03, depth + thick],
  ])
  const grain = Array.from({ length: 13 }, (_, index) => {
    const reach = 0.18 + index * 0.11
    return `M${-length * 0.1} ${depth * (1.1 - reach)}Q${length * reach * 0.8} ${depth * (1 - reach * 0.5) + between(random, -6, 6)} ${length * reach} ${depth * 1.2 + thick}`
  })
  const soft = { fill: 'none', stroke: colors.flake, 'stroke-linecap': 'round' }
  const joined = { 'stroke-width': 14, 'stroke-linejoin': 'round' }
  return (
    raised(
      7,
      20,
      path(front, { fill: colors.rim, stroke: colors.rim, ...joined }),
      inside(front, path(grain.join(''), { ...soft, 'stroke-width': 4, opacity: 0.55 })),
    ) +
    raised(
      4,
      0,
      path(top, { fill: colors.flesh, stroke: colors.flesh, ...joined }),
      inside(
        top,
        path(grain.join(''), { ...soft, 'stroke-width': 7, opacity: 0.6, filter: near(2) }),
        path(top, { fill: '#fff', opacity: 0.16, filter: 'url(#cloud)' }),
      ),
    ) +
    path(`M${-length * 0.02} ${depth}Q${length * 0.5} ${depth * 1.06} ${length * 1.04} ${depth * 0.98}`, {
      fill: 'none',
      stroke: '#fff',
      'stroke-width': 4,
      opacity: 0.55,
      filter: near(1),
    }) +
    tag('ellipse', {
      cx: length * 0.3,
      cy: depth * 0.16,
      rx: length * 0.2,
      ry: 9,
      fill: '#fff',
      opacity: 0.7,
      filter: near(3),
    })
  )
}

/** A ring of cleaned calamari, `r` in radius. */
export function squidRing(r: number): string {
  const band = (size: number): Point[] =>
    Array.from(
      { length: 16 },
      (_, index): Point => [
        Math.cos((index / 16) * 6.283) * r * size * (1 + (index % 3) * 0.02),
        Math.sin((index / 16) * 6.283) * r * size * 0.82,
      ],
    )
  const d = `${closed(ring(band(1), 80))}${closed(ring(band(0.66), 80).reverse())}`
  return (
    raised(
      7,
      12,
      path(d, { fill: '#fbf6f0', 'fill-rule': 'evenodd', stroke: '#e2cfc6', 'stroke-width': 2 }),
    ) +
    tag('path', {
      d: `M${-r * 0.7} ${-r * 0.36}Q${-r * 0.3} ${-r * 0.74} ${r * 0.2} ${-r * 0.68}`,
      fill: 'none',
      stroke: '#fff',
      'stroke-width': r * 0.08,
      opacity: 0.9,
      'stroke-linecap': 'round',
      filter: near(2),
    })
  )
}
