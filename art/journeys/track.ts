import { kilometres } from '@befaqt/domain/distance'
import type { Point } from './routes.ts'

/** A way that is travelled from one hour to another, hours counted from the catch. */
export type Leg = { points: readonly Point[]; from: number; to: number }

const place = ([latitude, longitude]: Point) => ({ latitude, longitude })

/** Where a box is `hour` hours after its catch: steady along each leg, at rest before, between and after them. */
export function placeAt(legs: readonly Leg[], hour: number): Point {
  const begun = legs.filter(({ from }) => from <= hour)
  const leg = begun.at(-1) ?? legs[0]
  if (leg === undefined) throw new Error('a journey has at least one leg')
  return along(leg.points, Math.min(1, Math.max(0, (hour - leg.from) / (leg.to - leg.from))))
}

/** The point at a share (0 to 1) of a way's length. */
function along(points: readonly Point[], share: number): Point {
  const steps = points.slice(1).map((to, i) => {
    const from = points[i] ?? to
    return { from, to, km: kilometres(place(from), place(to)) }
  })
  let left = share * steps.reduce((sum, { km }) => sum + km, 0)
  for (const { from, to, km } of steps) {
    if (left <= km && km > 0) return between(from, to, left / km)
    left -= km
  }
  return points.at(-1) ?? [0, 0]
}

const between = (a: Point, b: Point, share: number): Point => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
]
