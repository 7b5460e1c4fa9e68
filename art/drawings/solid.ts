import { away, closed, mix, type Point, ring, smooth } from './geometry.ts'
import { near, round } from './light.ts'
import { between, type Random } from './random.ts'
import { group, path } from './svg.ts'

/** Outline of a limb: a smooth line through `through`, as wide as `widths` (full width, spread along it). */
export function limb(through: readonly Point[], widths: readonly number[], steps = 36): Point[] {
  const spine = smooth(through, steps)
  const side = (sign: number): Point[] =>
    spine.map(([x, y], index) => {
      const before = spine[Math.max(0, index - 1)] ?? [x, y]
      const after = spine[Math.min(steps - 1, index + 1)] ?? [x, y]
      const length = Math.hypot(after[0] - before[0], after[1] - before[1]) || 1
      const half = (widthAt(widths, index / (steps - 1)) / 2) * sign
      return [x - ((after[1] - before[1]) / length) * half, y + ((after[0] - before[0]) / length) * half]
    })
  return [...side(-1), ...side(1).reverse()]
}

/** The width at share `t` along a list of widths. */
export function widthAt(widths: readonly number[], t: number): number {
  const place = t * (widths.length - 1)
  const index = Math.min(widths.length - 2, Math.floor(place))
  return mix(widths[index] ?? 0, widths[index + 1] ?? widths[index] ?? 0, place - index)
}

/** Both halves of a shape that is its own mirror image about x = 0, given the right half from top to bottom. */
export const mirrored = (half: readonly Point[]): Point[] => [
  ...half,
  ...half.map(([x, y]): Point => [-x, y]).reverse(),
]

/** A smooth closed shape as path data. */
export const blob = (through: readonly Point[], steps = 90): string => closed(ring(through, steps))

/** Draws `content` and its own mirror image about x = 0. */
export const pair = (content: string): string => content + group({ transform: 'scale(-1 1)' }, content)

/** How a shape is painted: flat colour, texture over it and the radius of its rounding. */
export type Surface = {
  fill: string
  edge?: string
  grain?: 'mottle' | 'speckle' | 'streak' | 'cloud'
  dark?: string
  light?: string
  strength?: number
}

/** A shape with grain; give the group of several the filter `round(n)`. */
export function surface(
  d: string,
  { fill, edge = '#000', grain = 'mottle', dark = '#000', light = '#fff', strength = 0.3 }: Surface,
): string {
  return (
    path(d, { fill, stroke: edge, 'stroke-width': 1.6, 'stroke-opacity': 0.35 }) +
    path(d, { fill: dark, opacity: strength, filter: `url(#${grain})` }) +
    path(d, { fill: light, opacity: strength * 0.5, filter: 'url(#cloud)' })
  )
}

/** Rounds and wets what is drawn, with its shadow on what lies below; `drop` is the height above it. */
export function raised(size: 2 | 4 | 7 | 11 | 17 | 26 | 40, drop: number, ...content: string[]): string {
  const drawn = content.join('')
  const cutout = drawn.replaceAll(/ filter="[^"]*"/g, '') // a shadow needs the outline only, and filters are dear
  const rounded = group({ filter: round(size) }, drawn)
  if (drop === 0) return rounded
  return (
    group({ filter: 'url(#dark)', opacity: 0.55, transform: `translate(${drop * 0.5} ${drop})` }, cutout) +
    rounded
  )
}

/** A soft lamp streak. */
export const streak = (from: Point, over: Point, to: Point, width: number, opacity = 0.6): string =>
  path(`M${from[0]} ${from[1]}Q${over[0]} ${over[1]} ${to[0]} ${to[1]}`, {
    fill: 'none',
    stroke: '#fffdf4',
    'stroke-width': width,
    'stroke-linecap': 'round',
    opacity,
    filter: near(3),
  })

/** An uneven oval: radii, how uneven (0 to 1) and how many points. */
export const oval = (random: Random, rx: number, ry: number, ragged: number, count = 15): Point[] =>
  Array.from({ length: count }, (_, index) => {
    const turn = (index / count) * 360
    const [x, y] = away([0, 0], turn, 1 + between(random, -ragged, ragged))
    return [x * rx * (1 - y * 0.16), y * ry]
  })
