import 'leaflet/dist/leaflet.css'
import './leaflet-look.css'
import { meanPlace } from '@befaqt/domain/tracking'
import type { LatLngExpression } from 'leaflet'
import type { Coastline } from './coastline.ts'
import { shownLabels } from './label-places.ts'
import { DivIcon, LeafletMap, Marker, Polygon, Polyline, TileLayer } from './leaflet-parts.ts'
import { loadCoastline } from './load-coastline.ts'
import { type MapPoint, type ReadingMarker, readingMarker } from './map-marker.ts'
import { boundsOf, MAP_ZOOM } from './map-sketch.ts'
import { towns } from './towns.ts'

export type TrackMapOptions = {
  points: readonly MapPoint[]
  /** Address of the tiles with {z}, {x} and {y}; null: the built-in coastline. */
  tiles: string | null
  attribution: string | null
  /** A marker was pointed at or focused. `index` is the reading's. */
  onMark: (index: number) => void
  /** Tiles could not be had, the coastline is shown instead. */
  onTilesFailed: () => void
}

/** A map that stands. */
export type TrackMap = {
  /** Marks this reading's marker and brings it into view; null unmarks. */
  mark: (index: number | null) => void
  /** Shows the whole track. */
  showAll: () => void
  remove: () => void
}

const LABEL = { width: 68, height: 24 }

/** Between two steps of the drawing: lets what the visitor does go first. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done))

/** Draws the track. Rejects when the coastline is needed and can't be loaded. Figures: spec §9. */
export async function trackMap(element: HTMLElement, options: TrackMapOptions): Promise<TrackMap> {
  const centre = meanPlace(options.points.map(({ spot }) => spot))
  if (!centre) throw new Error('a map needs at least one point')
  const coast = options.tiles === null ? await loadCoastline(boundsOf({ centre, zoom: MAP_ZOOM })) : null
  const map = emptyMap(element, [centre.latitude, centre.longitude], options.tiles !== null)
  await pause()
  if (coast) addCoast(map, coast)
  else addTiles(map, options)
  await pause()
  const track = options.points.map(({ spot }): [number, number] => [spot.latitude, spot.longitude])
  const line = new Polyline(track, { color: 'red', opacity: 0.8, weight: 2, interactive: false }).addTo(map)
  const markers = options.points.map((point, i) => readingMarker(point, i === 0, options.onMark).addTo(map))
  await pause()
  const labels = keepLabelsApart(map, markers)
  walkWithArrows(options.points, markers, options.onMark)
  return {
    mark: (index) => markOn(map, markers, options.points, index, labels),
    showAll: () => void map.fitBounds(line.getBounds(), { padding: [40, 40], maxZoom: 12 }),
    remove: () => void map.remove(),
  }
}

/** A map without anything on it. */
export function emptyMap(element: HTMLElement, centre: LatLngExpression, attributed: boolean): LeafletMap {
  const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  const byTouch = window.matchMedia('(pointer: coarse)').matches
  return new LeafletMap(element, {
    center: centre,
    zoom: MAP_ZOOM,
    minZoom: 3,
    zoomSnap: 0.25,
    maxZoom: 16,
    attributionControl: attributed,
    scrollWheelZoom: false,
    dragging: !byTouch,
    zoomAnimation: !calm,
    fadeAnimation: !calm,
    markerZoomAnimation: !calm,
  })
}

/** Draws the built-in land and its towns. */
export function addCoast(map: LeafletMap, { rings }: Coastline): void {
  const land = rings.map((ring) => [
    ring.map(([longitude, latitude]): LatLngExpression => [latitude, longitude]),
  ])
  new Polygon(land, { className: 'land', weight: 1, fillOpacity: 1, interactive: false })
    .addTo(map)
    .bringToBack()
  addTowns(map)
}

function addTowns(map: LeafletMap): void {
  for (const { name, latitude, longitude } of towns) {
    const icon = new DivIcon({ html: name, className: 'town', iconSize: [120, 20] })
    new Marker([latitude, longitude], {
      icon,
      interactive: false,
      keyboard: false,
      zIndexOffset: -1000,
    }).addTo(map)
  }
}

/** Draws tiles; when they can't be had, the built-in land. */
export function addTiles(
  map: LeafletMap,
  { tiles, attribution, onTilesFailed }: Pick<TrackMapOptions, 'tiles' | 'attribution' | 'onTilesFailed'>,
): void {
  const layer = new TileLayer(tiles ?? '', { maxZoom: 16, attribution: attribution ?? '' }).addTo(map)
  layer.once('tileerror', () => {
    onTilesFailed()
    const bounds = map.getBounds()
    const view = {
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
    }
    loadCoastline(view).then(
      (coast) => addCoast(map, coast),
      () => undefined,
    )
  })
}

/** Shows the labels that have room; the answer says which reading must have one, and does it again. */
function keepLabelsApart(map: LeafletMap, markers: readonly ReadingMarker[]): (first: number[]) => void {
  let wanted: number[] = []
  const place = () => {
    const pixels = markers.map((marker) => map.latLngToLayerPoint(marker.getLatLng()))
    const shown = shownLabels(pixels, LABEL, [...wanted, 0, markers.length - 1])
    for (const [i, marker] of markers.entries()) marker.showLabel(shown.has(i))
  }
  map.on('zoomend', place)
  place()
  return (first) => {
    wanted = first
    place()
  }
}

/** One marker is in the tab order; the arrow keys lead to the next along the track. */
function walkWithArrows(
  points: readonly MapPoint[],
  markers: readonly ReadingMarker[],
  onMark: (index: number) => void,
): void {
  for (const [i, marker] of markers.entries()) {
    const element = marker.getElement()
    if (!element) continue
    element.tabIndex = i === 0 ? 0 : -1
    element.addEventListener('focus', () => onMark(points[i]?.index ?? 0))
    element.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      event.stopPropagation()
      markers[i + step]?.getElement()?.focus()
    })
  }
}

function markOn(
  map: LeafletMap,
  markers: readonly ReadingMarker[],
  points: readonly MapPoint[],
  index: number | null,
  showLabels: (first: number[]) => void,
): void {
  const at = points.findIndex((point) => point.index === index)
  for (const [i, marker] of markers.entries()) marker.setMarked(i === at)
  const marker = markers[at]
  showLabels(marker ? [at] : [])
  if (marker) map.panInside(marker.getLatLng(), { padding: [60, 60] })
}
