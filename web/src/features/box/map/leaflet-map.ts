import { meanPlace } from '@befaqt/domain/tracking'
import type { LatLng } from 'leaflet'
import { baseMap, type Ground } from './base-map.ts'
import { evenly } from './evenly.ts'
import { shownLabels } from './label-declutter.ts'
import { LatLngBounds, type LeafletMap } from './leaflet-parts.ts'
import { type MapPoint, type ReadingMarker, readingMarker } from './map-marker.ts'
import { trackLines } from './track-lines.ts'

type Options = Ground & {
  points: readonly MapPoint[]
  /** Indexes of readings before which the sensor was silent. */
  unheard: ReadonlySet<number>
  /** What the first and the last point are. */
  names: readonly [first: string, last: string]
  /** Where the visitor had moved the map before it was drawn anew. */
  view: ChosenView | null
  /** A marker was pointed at or focused. `index` is the reading's. */
  onMark: (index: number) => void
}

type ChosenView = { centre: LatLng; zoom: number }

/** The map of a box's journey. */
export type TrackMap = {
  /** Marks this reading's marker and brings it into view; null unmarks. */
  mark: (index: number | null) => void
  /** Shows the whole track. */
  showAll: () => void
  /** Where the visitor has moved it; null while it is where it began. */
  chosenView: () => ChosenView | null
  remove: () => void
}

/** More markers than this would cover one another, and make the page slow. */
const MAX_MARKERS = 300

/** Room that the label of a named point needs beside it, in pixels. */
const NAMED_LABEL = 150

const LABEL = { width: 68, height: 24 }

/** Between two steps of the drawing: lets what the visitor does go first. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done))

/** Where the map begins where the journey fits into it. Source: spec §9. */
const ZOOM = 8

/** Draws the track. Rejects when the coastline is needed and can't be loaded. Figures: spec §9. */
export async function trackMap(element: HTMLElement, options: Options): Promise<TrackMap> {
  const centre = meanPlace(options.points.map(({ spot }) => spot))
  if (!centre) throw new Error('a map needs at least one point')
  const points = evenly(options.points.length, MAX_MARKERS).flatMap((i) => options.points[i] ?? [])
  const track = options.points.map(({ spot }): [number, number] => [spot.latitude, spot.longitude])
  const bounds = new LatLngBounds(track)
  const [first, last] = options.names
  const map = await baseMap(element, { centre, zoom: ZOOM, fit: bounds, track }, options)
  if (options.view) map.setView(options.view.centre, options.view.zoom, { animate: false })
  const start = options.view ? null : { centre: map.getCenter(), zoom: map.getZoom() }
  await pause()
  for (const line of trackLines(options.points, options.unheard)) line.addTo(map)
  const markers = points.map((point, i) =>
    readingMarker(
      point,
      i === 0,
      i === 0 ? first : i === points.length - 1 ? last : '',
      options.onMark,
    ).addTo(map),
  )
  await pause()
  const labels = keepLabelsApart(map, markers)
  walkWithArrows(points, markers, options.onMark)
  return {
    mark: (index) => markOn(map, markers, points, index, labels),
    showAll: () => void map.fitBounds(bounds, { padding: [40, 40] }),
    chosenView: () => {
      const [centre, zoom] = [map.getCenter(), map.getZoom()]
      return start?.zoom === zoom && start.centre.equals(centre) ? null : { centre, zoom }
    },
    remove: () => void map.remove(),
  }
}

/** Shows the labels that have room; the answer says which reading must have one, and does it again. */
function keepLabelsApart(map: LeafletMap, markers: readonly ReadingMarker[]): (first: number[]) => void {
  let wanted: number[] = []
  const place = () => {
    const pixels = markers.map((marker) => map.latLngToLayerPoint(marker.getLatLng()))
    const shown = shownLabels(pixels, LABEL, [...wanted, 0, markers.length - 1])
    for (const [i, marker] of markers.entries()) {
      const room = map.getSize().x - map.latLngToContainerPoint(marker.getLatLng()).x
      marker.showLabel(shown.has(i), room < NAMED_LABEL)
    }
  }
  map.on('zoomend moveend', place)
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
  // The nearest one before it, where that reading has no marker of its own.
  const at = index === null ? -1 : points.findLastIndex((point) => point.index <= index)
  for (const [i, marker] of markers.entries()) marker.setMarked(i === at)
  const marker = markers[at]
  showLabels(marker ? [at] : [])
  if (marker) map.panInside(marker.getLatLng(), { padding: [60, 60] })
}
