/** A place on the drawing: x to the right, y downwards. */
export type Point = readonly [x: number, y: number]

export const mix = (from: number, to: number, share: number): number => from + (to - from) * share

export const mixPoint = (from: Point, to: Point, share: number): Point => [
  mix(from[0], to[0], share),
  mix(from[1], to[1], share),
]

/** The point at `distance` from `from` in the direction `degrees` (0 right, 90 down). */
export function away(from: Point, degrees: number, distance: number): Point {
  const angle = (degrees * Math.PI) / 180
  return [from[0] + Math.cos(angle) * distance, from[1] + Math.sin(angle) * distance]
}

function bend(a: number, b: number, c: number, d: number, t: number): number {
  return (
    0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
  )
}

const pick = (points: readonly Point[], index: number): Point =>
  points[Math.max(0, Math.min(points.length - 1, index))] ?? [0, 0]

/** `count` points, evenly shared, on the smooth (Catmull-Rom) curve through `through`. */
export function smooth(through: readonly Point[], count: number): Point[] {
  const pieces = through.length - 1
  return Array.from({ length: count }, (_, step) => {
    const place = (step / Math.max(1, count - 1)) * pieces
    const piece = Math.min(pieces - 1, Math.floor(place))
    const around = [-1, 0, 1, 2].map((offset) => pick(through, piece + offset)) as [
      Point,
      Point,
      Point,
      Point,
    ]
    const [a, b, c, d] = around
    const t = place - piece
    return [bend(a[0], b[0], c[0], d[0], t), bend(a[1], b[1], c[1], d[1], t)]
  })
}

/** The smooth closed curve through `through`, as points. */
export function ring(through: readonly Point[], count: number): Point[] {
  const n = through.length
  const unrolled = [
    pick(through, n - 2),
    pick(through, n - 1),
    ...through,
    pick(through, 0),
    pick(through, 1),
  ]
  const whole = smooth(unrolled, Math.round((count * (n + 3)) / n) + 1)
  const per = (whole.length - 1) / (n + 3)
  return whole.slice(Math.round(per), Math.round(per * (n + 1)))
}

const digits = (value: number): string => String(Math.round(value * 10) / 10)

/** Path data of straight pieces through `points`. */
export const line = (points: readonly Point[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${digits(x)} ${digits(y)}`).join('')

export const closed = (points: readonly Point[]): string => `${line(points)}Z`

/** Path data of one quadratic curve. */
export const arc = (from: Point, over: Point, to: Point): string =>
  `M${digits(from[0])} ${digits(from[1])}Q${digits(over[0])} ${digits(over[1])} ${digits(to[0])} ${digits(to[1])}`
