import type { LatLngExpression } from 'leaflet'
import { DivIcon, type LeafletMap, Marker } from './leaflet-parts.ts'
import { townPlaces } from './town-places.ts'
import { towns } from './towns.ts'

/** Half of a mark on the track, with a little room. */
const MARK = 10

/** Writes the names of ports where there is room, anew after each zoom. @param track that they must leave free */
export function addTownNames(map: LeafletMap, track: readonly LatLngExpression[]): void {
  const names = towns.map(({ name, latitude, longitude }) => {
    const text = document.createElement('span')
    text.textContent = name
    const icon = new DivIcon({ html: text, className: 'town', iconSize: [0, 20], iconAnchor: [0, 10] })
    const marker = new Marker([latitude, longitude], {
      icon,
      interactive: false,
      keyboard: false,
      zIndexOffset: -1000,
    })
    return { name, text, marker: marker.addTo(map) }
  })
  const place = () => {
    const pixels = names.map(({ name, marker }) => {
      const { x, y } = map.latLngToLayerPoint(marker.getLatLng())
      return { name, x, y }
    })
    const places = townPlaces(
      pixels,
      track.map((point) => map.latLngToLayerPoint(point)),
      MARK,
    )
    for (const [i, { text }] of names.entries()) {
      const away = places[i] ?? null
      text.hidden = away === null
      text.style.right = `${away ?? 0}px`
    }
  }
  map.on('zoomend', place)
  place()
}
