import { kilometres, type Place } from '@befaqt/domain/place'
import shore from './shore.json' with { type: 'json' }

type Point = readonly [longitude: number, latitude: number]

/** Rings of land. The file has whole numbers: a first point, then the step to each next, in 1 / scale degrees. */
const rings: readonly Point[][] = shore.rings.map((steps) => {
  let longitude = 0
  let latitude = 0
  return steps.flatMap((step, i): Point[] => {
    if (i % 2 === 0) {
      longitude += step
      return []
    }
    latitude += step
    return [[longitude / shore.scale, latitude / shore.scale]]
  })
})

/** An edge as four numbers: readings ask for the shore again and again, and arrays of pairs cost more than the sums. */
type Edge = (x1: number, y1: number, x2: number, y2: number) => boolean

/** How many edges around a ring pass. */
function countEdges(ring: readonly Point[], passes: Edge): number {
  let count = 0
  let from = ring.at(-1)
  for (const to of ring) {
    if (from !== undefined && passes(from[0], from[1], to[0], to[1])) count++
    from = to
  }
  return count
}

/** Does a ray from the place to the east cross the ring's edges an odd number of times? */
const isInside = (ring: readonly Point[], { longitude, latitude }: Place): boolean =>
  countEdges(
    ring,
    (x1, y1, x2, y2) =>
      y1 > latitude !== y2 > latitude && longitude < ((x2 - x1) * (latitude - y1)) / (y2 - y1) + x1,
  ) %
    2 ===
  1

/** Kilometres from a place to the nearest point of an edge, on a plane that touches the earth at the place. */
function toEdge(place: Place, x1: number, y1: number, x2: number, y2: number): number {
  const narrowing = Math.cos((place.latitude * Math.PI) / 180)
  const [ax, ay] = [(x1 - place.longitude) * narrowing, y1 - place.latitude]
  const [dx, dy] = [(x2 - x1) * narrowing, y2 - y1]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length))
  const nearest = {
    latitude: place.latitude + ay + along * dy,
    longitude: place.longitude + (ax + along * dx) / narrowing,
  }
  return kilometres(place, nearest)
}

/**
 * Is this place on water, more than `km` from every shore? The coastline is right to about 150 m in New South
 * Wales, 1 km along the east of Australia and 9 km elsewhere; beyond Australia's waters everything is sea.
 */
export function isOffshore(place: Place, km: number): boolean {
  if (rings.some((ring) => isInside(ring, place))) return false
  const near = km / 50
  const { latitude, longitude } = place
  const isNear: Edge = (x1, y1, x2, y2) =>
    Math.min(y1, y2) <= latitude + near &&
    Math.max(y1, y2) >= latitude - near &&
    Math.min(x1, x2) <= longitude + 3 * near &&
    Math.max(x1, x2) >= longitude - 3 * near &&
    toEdge(place, x1, y1, x2, y2) <= km
  return !rings.some((ring) => countEdges(ring, isNear) > 0)
}
