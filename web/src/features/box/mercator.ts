import type { Place } from '@befaqt/domain/distance'

/** A place on the flat map, in pixels of a zoom level, x to the east and y to the south. */
export type Pixel = { x: number; y: number }

const TILE = 256
/** Beyond this latitude web maps stop. */
const EDGE = 85.0511287798

/** Web Mercator as tile servers and Leaflet use it (EPSG:3857). */
export function toPixel({ latitude, longitude }: Place, zoom: number): Pixel {
  const world = TILE * 2 ** zoom
  const phi = (Math.max(-EDGE, Math.min(EDGE, latitude)) * Math.PI) / 180
  const north = Math.log(Math.tan(Math.PI / 4 + phi / 2))
  return { x: world * (longitude / 360 + 0.5), y: world * (0.5 - north / (2 * Math.PI)) }
}

/** The place at a pixel of the flat map; undoes `toPixel`. */
export function toPlace({ x, y }: Pixel, zoom: number): Place {
  const world = TILE * 2 ** zoom
  const north = (0.5 - y / world) * 2 * Math.PI
  return { longitude: (x / world - 0.5) * 360, latitude: (Math.atan(Math.sinh(north)) * 180) / Math.PI }
}
