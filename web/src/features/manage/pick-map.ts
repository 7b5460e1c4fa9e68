import type { Place } from '@befaqt/domain/distance'
import { addCoast, addTiles, emptyMap } from '#web/features/box/leaflet-map.ts'
import { DivIcon, Marker } from '#web/features/box/leaflet-parts.ts'
import { loadCoastline } from '#web/features/box/load-coastline.ts'
import { boundsOf } from '#web/features/box/map-sketch.ts'

export type PickMapOptions = {
  /** What is shown first. */
  centre: Place
  picked: Place | null
  tiles: string | null
  attribution: string | null
  onPick: (place: Place) => void
}

export type PickMap = { show: (place: Place | null) => void; remove: () => void }

const ZOOM = 7
const PIN = 22

/** A map on which a place is picked by a press, or with Enter at its middle. */
export async function pickMap(element: HTMLElement, options: PickMapOptions): Promise<PickMap> {
  const { centre, picked, tiles, attribution, onPick } = options
  const coast = tiles === null ? await loadCoastline(boundsOf({ centre, zoom: ZOOM })) : null
  const map = emptyMap(element, [centre.latitude, centre.longitude], tiles !== null)
  map.setZoom(ZOOM)
  map.dragging.enable()
  if (coast) addCoast(map, coast)
  else addTiles(map, { tiles, attribution, onTilesFailed: () => undefined })
  const icon = new DivIcon({
    className: 'rounded-full border-4 border-coral bg-surface',
    iconSize: [PIN, PIN],
  })
  const pin = new Marker([centre.latitude, centre.longitude], { icon, keyboard: false, interactive: false })
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
  show(picked)
  return { show, remove: () => void map.remove() }
}

/** About ten metres. */
const rounded = (degrees: number): number => Math.round(degrees * 10_000) / 10_000
