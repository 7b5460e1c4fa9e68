import { meanPlace } from '@befaqt/domain/tracking'
import { baseMap, type Ground } from './base-map.ts'
import { shownLabels } from './label-declutter.ts'
import { type LeafletMap, Polyline } from './leaflet-parts.ts'
import { type MapPoint, type ReadingMarker, readingMarker } from './map-marker.ts'

type Options = Ground & {
  points: readonly MapPoint[]
  /** A marker was pointed at or focused. `index` is the reading's. */
  onMark: (index: number) => void
}

/** The map of a box's journey. */
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

/** Where the map begins where the journey fits into it. Source: spec §9. */
const ZOOM = 8

/** Draws the track. Rejects when the coastline is needed and can't be loaded. Figures: spec §9. */
export async function trackMap(element: HTMLElement, options: Options): Promise<TrackMap> {
  const centre = meanPlace(options.points.map(({ spot }) => spot))
  if (!centre) throw new Error('a map needs at least one point')
  const track = options.points.map(({ spot }): [number, number] => [spot.latitude, spot.longitude])
  const line = new Polyline(track, { color: 'red', opacity: 0.8, weight: 2, interactive: false })
  const map = await baseMap(element, { centre, zoom: ZOOM, fit: line.getBounds() }, options)
  await pause()
  line.addTo(map)
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
