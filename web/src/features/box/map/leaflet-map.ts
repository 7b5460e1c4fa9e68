import type { Place } from '@befaqt/domain/place'
import { meanPlace } from '@befaqt/domain/tracking'
import type { LatLngTuple } from 'leaflet'
import type { Band } from '../chart/readings.ts'
import { baseMap, type Ground } from './base-map.ts'
import { evenly, shownLabels } from './declutter.ts'
import { DivIcon, LatLngBounds, type LeafletMap, Marker, Polyline } from './leaflet-parts.ts'

/** What is on the map, which grows while its page is open. */
export type Track = {
  points: readonly MapPoint[]
  /** Indexes of readings before which the sensor was silent. */
  unheard: ReadonlySet<number>
  /** What the first and the last point are. */
  names: readonly [first: string, last: string]
}

type Options = Ground & {
  /** A marker was pointed at or focused. `index` is the reading's. */
  onMark: (index: number) => void
}

/** The map of a box's journey. */
export type TrackMap = {
  /** Shows a newer track: what stayed of it keeps its markers. */
  show: (track: Track) => void
  /** Marks this reading's marker and brings it into view; null unmarks. */
  mark: (index: number | null) => void
  /** Shows the whole track. */
  showAll: () => void
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

const latLngs = ({ points }: Track) =>
  points.map(({ spot }): [number, number] => [spot.latitude, spot.longitude])

/** Draws the track. Rejects when the coastline is needed and can't be loaded. Figures: spec §9. */
export async function trackMap(element: HTMLElement, track: Track, options: Options): Promise<TrackMap> {
  const centre = meanPlace(track.points.map(({ spot }) => spot))
  if (!centre) throw new Error('a map needs at least one point')
  let bounds = new LatLngBounds(latLngs(track))
  const view = { centre, zoom: ZOOM, fit: bounds, track: latLngs(track) }
  const map = await baseMap(element, view, options)
  let start = { centre: map.getCenter(), zoom: map.getZoom() }
  await pause()
  const lines = trackLines(track.points, track.unheard).map((line) => line.addTo(map))
  const markers = new Markers(map, options.onMark)
  markers.show(track)
  await pause()
  markers.keepLabelsApart()
  const isMoved = (): boolean => map.getZoom() !== start.zoom || !map.getCenter().equals(start.centre)
  return {
    show: (newer) => {
      const newBounds = new LatLngBounds(latLngs(newer))
      const follow = !isMoved() && !map.getBounds().contains(newBounds)
      bounds = newBounds
      for (const [i, line] of trackLines(newer.points, newer.unheard).entries())
        lines[i]?.setLatLngs(line.getLatLngs())
      markers.show(newer)
      if (follow) {
        map.fitBounds(bounds, { padding: [40, 40], animate: false })
        start = { centre: map.getCenter(), zoom: map.getZoom() }
      }
      markers.placeLabels()
    },
    mark: (index) => markers.mark(index),
    showAll: () => void map.fitBounds(bounds, { padding: [40, 40] }),
    remove: () => void map.remove(),
  }
}

type Placed = { point: MapPoint; marker: ReadingMarker }

/** The markers of a track, in its order. */
class Markers {
  readonly #map: LeafletMap
  readonly #onMark: (index: number) => void
  #placed: Placed[] = []
  /** Which of them must have its label. */
  #wanted: number[] = []

  constructor(map: LeafletMap, onMark: (index: number) => void) {
    this.#map = map
    this.#onMark = onMark
  }

  /** Puts these points in the place of those before; a point that says the same keeps its marker. */
  show({ points, names: [first, last] }: Track): void {
    const before = new Map(this.#placed.map((placed) => [placed.point.index, placed]))
    const chosen = evenly(points.length, MAX_MARKERS).flatMap((i) => points[i] ?? [])
    const placed = chosen.map((point, i) => {
      const name = i === 0 ? first : i === chosen.length - 1 ? last : ''
      const kept = before.get(point.index)
      if (kept && (kept === this.#placed[0]) === (i === 0) && isSame(kept.point, point)) {
        before.delete(point.index)
        kept.marker.setName(name)
        return kept
      }
      return { point, marker: this.#add(point, i === 0, name) }
    })
    for (const { marker } of before.values()) marker.remove()
    this.#placed = placed
  }

  /** One marker is in the tab order; the arrow keys lead to the next along the track. */
  #add(point: MapPoint, isFirst: boolean, name: string): ReadingMarker {
    const marker = readingMarker(point, isFirst, name, this.#onMark).addTo(this.#map)
    const element = marker.getElement()
    if (!element) return marker
    element.tabIndex = isFirst ? 0 : -1
    element.addEventListener('focus', () => this.#onMark(point.index))
    element.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
      if (step === undefined) return
      event.preventDefault()
      event.stopPropagation()
      const at = this.#placed.findIndex((placed) => placed.marker === marker)
      this.#placed[at + step]?.marker.getElement()?.focus()
    })
    return marker
  }

  mark(index: number | null): void {
    // The nearest one before it, where that reading has no marker of its own.
    const at = index === null ? -1 : this.#placed.findLastIndex(({ point }) => point.index <= index)
    for (const [i, { marker }] of this.#placed.entries()) marker.setMarked(i === at)
    const marked = this.#placed[at]?.marker
    this.#wanted = marked ? [at] : []
    this.placeLabels()
    if (marked) this.#map.panInside(marked.getLatLng(), { padding: [60, 60] })
  }

  /** Shows the labels that have room, now and whenever the map has moved. */
  keepLabelsApart(): void {
    this.#map.on('zoomend moveend', () => this.placeLabels())
    this.placeLabels()
  }

  placeLabels(): void {
    const map = this.#map
    const pixels = this.#placed.map(({ marker }) => map.latLngToLayerPoint(marker.getLatLng()))
    const shown = shownLabels(pixels, LABEL, [...this.#wanted, 0, pixels.length - 1])
    for (const [i, { marker }] of this.#placed.entries()) {
      const room = map.getSize().x - map.latLngToContainerPoint(marker.getLatLng()).x
      marker.showLabel(shown.has(i), room < NAMED_LABEL)
    }
  }
}

const isSame = (a: MapPoint, b: MapPoint): boolean =>
  a.spot.latitude === b.spot.latitude &&
  a.spot.longitude === b.spot.longitude &&
  a.sensor === b.sensor &&
  a.degrees === b.degrees &&
  a.band === b.band

/** A reading that has a place on the map. `index` is its place among all readings. */
export type MapPoint = { index: number; spot: Place; sensor: string; degrees: string; band: Band }

/** A marker whose label comes and goes and that can be marked. */
class ReadingMarker extends Marker {
  readonly #dot: HTMLElement
  readonly #label: HTMLElement
  readonly #degrees: string
  /** Where it lies among markers on the same spot while it is not marked. */
  readonly #depth: number

  constructor({ spot, sensor, degrees, band }: MapPoint, isFirst: boolean, name: string) {
    const [dot, label] = [document.createElement('span'), document.createElement('span')]
    const face = document.createElement('span')
    face.append(dot, label)
    dot.className = isFirst ? 'reading-dot reading-dot-first' : `reading-dot reading-dot-${band}`
    label.className = 'reading-label'
    const icon = new DivIcon({ html: face, className: 'reading-marker', iconSize: [24, 24] })
    super([spot.latitude, spot.longitude], {
      icon,
      title: `${isFirst ? 'Provenance: ' : ''}${sensor}, ${degrees}`,
    })
    this.#dot = dot
    this.#label = label
    this.#degrees = degrees
    this.setName(name)
    this.#depth = isFirst ? 500 : 0
    this.setZIndexOffset(this.#depth)
  }

  /** What its point is, before its temperature; blank for nothing. */
  setName(name: string): void {
    this.#label.textContent = name ? `${name}, ${this.#degrees}` : this.#degrees
  }

  showLabel(shown: boolean, toLeft: boolean): void {
    if (this.#label.hidden === shown) this.#label.hidden = !shown
    this.#label.toggleAttribute('data-left', toLeft)
  }

  setMarked(marked: boolean): void {
    if (this.#dot.hasAttribute('data-marked') === marked) return
    this.#dot.toggleAttribute('data-marked', marked)
    this.#label.toggleAttribute('data-marked', marked)
    this.setZIndexOffset(marked ? 1000 : this.#depth)
  }
}

/** A marker that tells when it is pointed at. */
function readingMarker(
  point: MapPoint,
  isFirst: boolean,
  name: string,
  onMark: (index: number) => void,
): ReadingMarker {
  const marker = new ReadingMarker(point, isFirst, name)
  marker.on('mouseover click', () => onMark(point.index))
  return marker
}

const latLng = ({ spot }: MapPoint): LatLngTuple => [spot.latitude, spot.longitude]

/**
 * The track as it is drawn: red where the box was followed, dashed where it was not, for want of positions or of
 * readings. Figures: spec §9.
 * @param unheard indexes of readings before which the sensor was silent
 */
function trackLines(points: readonly MapPoint[], unheard: ReadonlySet<number>): Polyline[] {
  const followed: LatLngTuple[][] = [[]]
  const gaps: LatLngTuple[][] = []
  for (const [i, point] of points.entries()) {
    const last = points[i - 1]
    if (last && (point.index !== last.index + 1 || unheard.has(point.index))) {
      gaps.push([latLng(last), latLng(point)])
      followed.push([])
    }
    followed.at(-1)?.push(latLng(point))
  }
  return [
    new Polyline(gaps, { className: 'track-gap', weight: 2, dashArray: '3 7', interactive: false }),
    new Polyline(followed, { color: 'red', opacity: 0.8, weight: 2, interactive: false }),
  ]
}
