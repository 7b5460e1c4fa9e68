import type { Place } from '@befaqt/domain/place'
import { baseMap, type Ground } from './base-map.ts'
import { DivIcon, Marker } from './leaflet-parts.ts'

type Options = Ground & { onPick: (place: Place) => void }

/** A map with at most one place on it. */
export type PickMap = { show: (place: Place | null) => void; remove: () => void }

/** Off the middle of the coast that most boats work. */
const OFF_THE_COAST: Place = { latitude: -31.5, longitude: 153 }
const ZOOM = 7
const PIN = 22

/** A map on which a place is picked with a click or tap, or with Enter at its middle. */
export async function pickMap(element: HTMLElement, { onPick, ...ground }: Options): Promise<PickMap> {
  const map = await baseMap(element, { centre: OFF_THE_COAST, zoom: ZOOM }, ground)
  map.dragging.enable()
  const icon = new DivIcon({
    className: 'rounded-full border-4 border-coral bg-surface',
    iconSize: [PIN, PIN],
  })
  const pin = new Marker([0, 0], { icon, keyboard: false, interactive: false })
  const show = (place: Place | null) => {
    if (place) pin.setLatLng([place.latitude, place.longitude]).addTo(map)
    else pin.remove()
  }
  const pick = ({ lat, lng }: { lat: number; lng: number }) => {
    const wrapped = map.wrapLatLng([lat, lng])
    onPick({ latitude: rounded(wrapped.lat), longitude: rounded(wrapped.lng) })
  }
  map.on('click', ({ latlng }) => pick(latlng))
  map.getContainer().addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    pick(map.getCenter())
  })
  return { show, remove: () => void map.remove() }
}

/** About ten metres. */
const rounded = (degrees: number): number => Math.round(degrees * 10_000) / 10_000
