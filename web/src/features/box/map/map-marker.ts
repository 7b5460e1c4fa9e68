import type { Place } from '@befaqt/domain/distance'
import type { Band } from '../chart/readings.ts'
import { DivIcon, Marker } from './leaflet-parts.ts'

/** A reading that has a place on the map. `index` is its place among all readings. */
export type MapPoint = { index: number; spot: Place; sensor: string; degrees: string; band: Band }

/** A marker whose label comes and goes and that can be marked. */
export class ReadingMarker extends Marker {
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
export function readingMarker(
  point: MapPoint,
  isFirst: boolean,
  name: string,
  onMark: (index: number) => void,
): ReadingMarker {
  const marker = new ReadingMarker(point, isFirst, name)
  marker.on('mouseover click', () => onMark(point.index))
  return marker
}
