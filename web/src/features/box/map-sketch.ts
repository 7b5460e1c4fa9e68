import type { Place } from '@befaqt/domain/distance'
import { meanPlace } from '@befaqt/domain/tracking'
import type { Bounds, Coastline, LngLat } from './coastline.ts'
import { type Pixel, toPixel, toPlace } from './mercator.ts'
import { clipRing, simplify } from './ring-shape.ts'
import { towns } from './towns.ts'

/** A still picture of the track on its coast, in pixels of a window as wide as the widest page. */
export type MapSketch = { land: string; points: Pixel[]; towns: (Pixel & { name: string })[] }

/** Size of the window; narrower pages show its middle. Height: spec §9. */
export const sketchSize = { width: 1440, height: 420 } as const

/** Zoom with which the map begins. Source: spec §9. */
export const MAP_ZOOM = 8

/** Room for the whole track, so that a phone shows all of it. */
const ROOM = { width: 280, height: 340 }

/** What the window shows: the middle of the track, as near as the map begins unless the track needs more room. */
export type View = { centre: Place; zoom: number }

/** Null without points. */
export function viewOf(track: readonly Place[]): View | null {
  const centre = meanPlace(track)
  if (!centre) return null
  const middle = toPixel(centre, 0)
  const reach = (pick: (p: Pixel) => number) =>
    2 * Math.max(...track.map((place) => Math.abs(pick(toPixel(place, 0)) - pick(middle))), 1e-9)
  const across = Math.min(ROOM.width / reach(({ x }) => x), ROOM.height / reach(({ y }) => y))
  return { centre, zoom: Math.min(MAP_ZOOM, Math.log2(across)) }
}

/** The part of the world that the window shows. */
export function boundsOf({ centre, zoom }: View): Bounds {
  const { x, y } = toPixel(centre, zoom)
  const [halfWidth, halfHeight] = [sketchSize.width / 2, sketchSize.height / 2]
  const northWest = toPlace({ x: x - halfWidth, y: y - halfHeight }, zoom)
  const southEast = toPlace({ x: x + halfWidth, y: y + halfHeight }, zoom)
  return {
    west: northWest.longitude,
    south: southEast.latitude,
    east: southEast.longitude,
    north: northWest.latitude,
  }
}

/** Land and track as the window shows them. */
export function drawSketch(view: View, track: readonly Place[], coast: Coastline): MapSketch {
  const window = boundsOf(view)
  const toWindow = windowPixels(view)
  const rings = coast.rings.map((ring) => clipRing(ring, widened(window))).filter((ring) => ring.length > 2)
  const land = rings.map((ring) =>
    ringPath(ring.map(([longitude, latitude]) => toWindow({ latitude, longitude }))),
  )
  const points = track.map((place) => rounded(toWindow(place)))
  const named = towns.map((town) => ({ name: town.name, ...rounded(toWindow(town)) }))
  return { land: land.join(''), points, towns: named.filter(isInWindow) }
}

function windowPixels({ centre, zoom }: View): (place: Place) => Pixel {
  const middle = toPixel(centre, zoom)
  return (place) => {
    const { x, y } = toPixel(place, zoom)
    return { x: x - middle.x + sketchSize.width / 2, y: y - middle.y + sketchSize.height / 2 }
  }
}

/** A little more, so that the cut edges of the land lie outside the picture. */
const widened = ({ west, south, east, north }: Bounds): Bounds => {
  const margin = (east - west) / 100
  return { west: west - margin, south: south - margin, east: east + margin, north: north + margin }
}

const isInWindow = ({ x, y }: Pixel): boolean =>
  x > 0 && x < sketchSize.width && y > 0 && y < sketchSize.height

const rounded = ({ x, y }: Pixel): Pixel => ({ x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 })

function ringPath(ring: readonly Pixel[]): string {
  const line = ring.map(({ x, y }): LngLat => [x, y])
  const corners = simplify([...line, ...line.slice(0, 1)], () => 0.6).slice(0, -1)
  return corners.length < 3 ? '' : `${linePath(corners.map(([x, y]) => ({ x, y })))}Z`
}

/** SVG path through the points, to a tenth of a pixel. */
export const linePath = (points: readonly Pixel[]): string =>
  points.map((point, i) => `${i === 0 ? 'M' : 'L'}${rounded(point).x} ${rounded(point).y}`).join('')
