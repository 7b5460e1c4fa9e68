import type { Body } from './fish-body.ts'
import { arc, away, closed, line, mixPoint, type Point, smooth } from './geometry.ts'
import { group, linear, path, type Stop } from './svg.ts'

/** Colours of a fin: at its root, at its edge, of its rays; `opacity` of the skin between rays. */
type FinPaint = { root: string; edge: string; ray?: string; opacity?: number; tipLine?: string }

/** Any fin: rays from points on its base to points on its tip curve, skin between; the first `spines` are spines. */
type Fin = FinPaint & {
  base: readonly Point[]
  tip: readonly Point[]
  rays: number
  spines?: number
  notch?: number
  sweep?: number
}

function skinEdge(base: readonly Point[], tip: readonly Point[], spines: number, notch: number): Point[] {
  return tip.flatMap((point, index): Point[] => {
    const next = tip[index + 1]
    if (!next || index >= spines - 1) return [point]
    const dip = mixPoint(mixPoint(point, next, 0.5), base[index] ?? point, notch)
    return smooth([point, dip, next], 7).slice(0, -1)
  })
}

/** Draws a fin. */
export function fin(given: Fin): string {
  const { root, edge, ray = '#2b2018', opacity = 0.82, spines = 0, notch = 0.25, sweep = 0 } = given
  const base = smooth(given.base, given.rays)
  const tip = smooth(given.tip, given.rays)
  const middle = Math.floor(given.rays / 2)
  const [from, to] = [base[middle] ?? [0, 0], tip[middle] ?? [0, 0]] as const
  const shades: Stop[] = [
    [0, root, 1],
    [0.55, root, opacity],
    [1, edge, opacity],
  ]
  const [gradient, paint] = linear(from[0], from[1], to[0], to[1], shades)
  const over = (a: Point, b: Point): Point => {
    const [x, y] = mixPoint(a, b, 0.55)
    return [x + (b[1] - a[1]) * sweep, y - (b[0] - a[0]) * sweep]
  }
  const bony = base.slice(0, spines).map((a, i) => {
    const b = tip[i] ?? a
    const width = Math.max(3, Math.hypot(b[0] - a[0], b[1] - a[1]) / 22)
    return closed([[a[0] - width, a[1]], [a[0] + width, a[1]], b])
  })
  const soft = base.slice(spines).map((a, i) => arc(a, over(a, tip[spines + i] ?? a), tip[spines + i] ?? a))
  const between = base.slice(spines, -1).map((a, i) => {
    const b = tip[spines + i] ?? a
    const after = tip[spines + i + 1] ?? b
    return arc(mixPoint(a, b, 0.45), mixPoint(a, mixPoint(b, after, 0.5), 0.75), mixPoint(b, after, 0.5))
  })
  const rim = skinEdge(base, tip, spines, notch)
  return (
    gradient +
    group(
      { 'stroke-linecap': 'round' },
      path(closed([...base, ...rim.reverse()]), {
        fill: paint,
        stroke: ray,
        'stroke-width': 1.2,
        'stroke-opacity': 0.45,
      }),
      path(soft.join(''), { fill: 'none', stroke: ray, 'stroke-width': 2.4, 'stroke-opacity': 0.38 }),
      path(between.join(''), { fill: 'none', stroke: ray, 'stroke-width': 1.2, 'stroke-opacity': 0.3 }),
      path(soft.join(''), {
        fill: 'none',
        stroke: '#fff',
        'stroke-width': 1,
        'stroke-opacity': 0.4,
        transform: 'translate(-1.6 -1)',
      }),
      path(bony.join(''), { fill: root, stroke: ray, 'stroke-width': 1.4, 'stroke-opacity': 0.6 }),
      path(bony.join(''), { fill: '#fff', 'fill-opacity': 0.25, transform: 'translate(-1.5 0)' }),
      given.tipLine
        ? path(line(tip.slice(spines)), {
            fill: 'none',
            stroke: given.tipLine,
            'stroke-width': 6,
            'stroke-opacity': 0.75,
          })
        : '',
    )
  )
}

/** A fin standing on the back (`side` -1) or under the belly (1): heights in thousandths along `from`…`to`. */
export type Edge = FinPaint & {
  from: number
  to: number
  heights: readonly number[]
  lean: number
  rays: number
  spines?: number
  notch?: number
}

export function edgeFin(body: Body, side: -1 | 1, spec: Edge): string {
  const v = side === -1 ? 0.05 : 0.95
  const steps = spec.heights.length
  const base = Array.from({ length: 12 }, (_, step) =>
    body.at(spec.from + ((spec.to - spec.from) * step) / 11, v),
  )
  const roots = smooth(base, steps)
  const tip = spec.heights.map((height, index) =>
    away(roots[index] ?? [0, 0], side * (90 - spec.lean), height),
  )
  return fin({ ...spec, base, tip })
}

/** A tail: `length` and half `spread` in thousandths; `fork` 0 straight, 1 to the root, negative rounded. */
export type Tail = FinPaint & { length: number; spread: number; fork: number; rays?: number; lower?: number }

export function tail(body: Body, { length, spread, fork, rays = 22, lower = 1, ...paint }: Tail): string {
  const [top, bottom] = [body.at(0.965, 0.03), body.at(0.965, 0.97)]
  const middle = (top[1] + bottom[1]) / 2
  const far = 1000 + length
  const notchX = far - fork * length
  const shoulder = fork > 0 ? 0.42 : 0.6
  const tip: Point[] = [
    [far, middle - spread],
    [far + (notchX - far) * (fork > 0 ? 0.62 : 0.7), middle - spread * shoulder],
    [notchX, middle],
    [far + (notchX - far) * (fork > 0 ? 0.62 : 0.7), middle + spread * shoulder * lower],
    [far, middle + spread * lower],
  ]
  return fin({ ...paint, base: [top, [top[0] + 8, middle], bottom], tip, rays, sweep: 0 })
}

/** A side fin: root at (u, v), pointing `angle` degrees, `length` long, opened by `fan` degrees; `point` is the longest ray, 0 first, 1 last. */
export type Side = FinPaint & {
  u: number
  v: number
  angle: number
  length: number
  fan: number
  rays?: number
  point?: number
}

export function sideFin(
  body: Body,
  { u, v, angle, length, fan, rays = 13, point = 0.5, ...paint }: Side,
): string {
  const root = body.at(u, v)
  const wide = Math.max(6, length * 0.062)
  const base: Point[] = [away(root, angle - 90, wide), root, away(root, angle + 90, wide)]
  const shares = [-0.5, -0.25, 0, 0.25, 0.5]
  const tip = shares.map((share) => {
    const off = share + 0.5 - point
    return away(root, angle + share * fan, length * (1 - Math.abs(off) ** 1.3 * 0.72))
  })
  return fin({ ...paint, base, tip, rays })
}
