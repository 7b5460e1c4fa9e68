import type { Box } from '@befaqt/domain/box'
import { isPlaced } from '@befaqt/domain/box-metrics'
import { instantOf } from '@befaqt/domain/market-time'
import { kilometres, type Place } from '@befaqt/domain/place'
import shore from './shore.json' with { type: 'json' }

/** Nearer to the shore than this a boat is landing; as for the stage of a box. */
const LANDED_KM = 2

/** Places of a long way that are compared with the coastline first. */
const LOOKED_AT = 200

/**
 * When a box was landed: its first reading on land or by the shore after the last one at sea. null while it is at sea,
 * and for one that was never seen there. It is derived from a coastline, so no record proves it. Market time or RFC
 * 3339, as sent. Of a long way only so many places are looked at, and those between the last at sea and the next.
 */
export function landedAt({ iotResult }: Pick<Box, 'iotResult'>, timeZone: string): string | null {
  const placed = (iotResult?.iotTracking ?? [])
    .filter(isPlaced)
    .map((reading) => ({ ...reading, at: instantOf(reading.time, timeZone) ?? 0 }))
    .sort((a, b) => a.at - b.at)
  const isAtSea = (index: number): boolean => {
    const reading = placed[index]
    return reading !== undefined && isOffshore(reading, LANDED_KM)
  }
  const step = Math.max(1, Math.ceil(placed.length / LOOKED_AT))
  let ashore = placed.length - 1
  if (isAtSea(ashore)) return null
  let atSea = ashore - step
  while (atSea >= 0 && !isAtSea(atSea)) [ashore, atSea] = [atSea, atSea - step]
  if (atSea < 0) atSea = isAtSea(0) ? 0 : -1
  if (atSea === -1) return null
  while (ashore - atSea > 1) {
    const middle = (atSea + ashore) >> 1
    if (isAtSea(middle)) atSea = middle
    else ashore = middle
  }
  return placed[ashore]?.time ?? null
}

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

/**
 * The edges that touch each whole degree of latitude, ring by ring, four numbers an edge: a reading looks at those beside
 * it, not at all the shores of the earth.
 */
const bands = new Map<number, number[][]>()
for (const ring of rings) {
  const own = new Map<number, number[]>()
  let from = ring.at(-1)
  for (const to of ring) {
    if (from !== undefined)
      for (let band = bandAt(Math.min(from[1], to[1])); band <= bandAt(Math.max(from[1], to[1])); band++) {
        const edges = own.get(band) ?? []
        edges.push(from[0], from[1], to[0], to[1])
        own.set(band, edges)
      }
    from = to
  }
  for (const [band, edges] of own) bands.set(band, [...(bands.get(band) ?? []), edges])
}

function bandAt(latitude: number): number {
  return Math.floor(latitude)
}

/** How many of a ring's edges in a band pass. */
function countEdges(edges: readonly number[], passes: Edge): number {
  let count = 0
  for (let i = 0; i < edges.length; i += 4)
    if (passes(edges[i] ?? 0, edges[i + 1] ?? 0, edges[i + 2] ?? 0, edges[i + 3] ?? 0)) count++
  return count
}

/** Does a ray from the place to the east cross the ring's edges, of the place's band, an odd number of times? */
const isInside = (edges: readonly number[], { longitude, latitude }: Place): boolean =>
  countEdges(
    edges,
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
  const { latitude, longitude } = place
  if (bands.get(bandAt(latitude))?.some((edges) => isInside(edges, place))) return false
  const near = km / 50
  const isNear: Edge = (x1, y1, x2, y2) =>
    Math.min(y1, y2) <= latitude + near &&
    Math.max(y1, y2) >= latitude - near &&
    Math.min(x1, x2) <= longitude + 3 * near &&
    Math.max(x1, x2) >= longitude - 3 * near &&
    toEdge(place, x1, y1, x2, y2) <= km
  for (let band = bandAt(latitude - near); band <= bandAt(latitude + near); band++)
    if (bands.get(band)?.some((edges) => countEdges(edges, isNear) > 0)) return false
  return true
}

/** Within this from the shore the waters are Australia's: an economic zone reaches 370 km, and this coastline is not exact. */
const ZONE_KM = 300

/**
 * The country in whose economic zone a place surely is, by ISO 3166-1 with three letters; null on land, and where we don't
 * know. Only Australia's is known, south of 17° S: further north it meets those of others. Source: UNCLOS, article 57.
 */
export function economicZone(place: Place): string | null {
  const { latitude, longitude } = place
  if (latitude > -17 || latitude < -50 || longitude < 108 || longitude > 158) return null
  return isOffshore(place, 0) && !isOffshore(place, ZONE_KM) ? 'AUS' : null
}
