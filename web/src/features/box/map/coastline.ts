/** A place as [longitude, latitude] in degrees, as map data gives it. */
export type LngLat = readonly [longitude: number, latitude: number]

/** Longitudes and latitudes of a rectangle, in degrees. */
export type Bounds = { west: number; south: number; east: number; north: number }

/**
 * Land of one part of the world as files hold it: each ring is a flat list of whole numbers, first longitude and
 * latitude, then the step to each next point, in units of 1 / `scale` degrees. Made by `art/make-coastline.ts`.
 */
export type CoastlineFile = { bounds: Bounds; scale: number; rings: number[][] }

/** Rings of land in degrees, each closed by returning to its first point. */
export type Coastline = { bounds: Bounds; rings: LngLat[][] }

/** Steps added up and scaled to degrees. */
export function readCoastline(file: CoastlineFile): Coastline {
  return { bounds: file.bounds, rings: file.rings.map((steps) => readRing(steps, file.scale)) }
}

function readRing(steps: number[], scale: number): LngLat[] {
  const ring: LngLat[] = []
  let longitude = 0
  let latitude = 0
  for (let i = 0; i + 1 < steps.length; i += 2) {
    longitude += steps[i] ?? 0
    latitude += steps[i + 1] ?? 0
    ring.push([longitude / scale, latitude / scale])
  }
  return ring
}

/** Is all of `inner` within `outer`? */
export const isWithin = (inner: Bounds, outer: Bounds): boolean =>
  inner.west >= outer.west &&
  inner.east <= outer.east &&
  inner.south >= outer.south &&
  inner.north <= outer.north
