import type { LeafletMap } from './leaflet-parts.ts'

/** At most so wide, in pixels. */
const WIDTH = 100

/** A bar as long as a round distance at the middle of the map. Half of what Leaflet's own control takes. */
export function addScale(map: LeafletMap): void {
  const bar = map.getContainer().appendChild(document.createElement('div'))
  bar.className = 'map-scale'
  const show = () => {
    const y = map.getSize().y / 2
    const metres = map.distance(map.containerPointToLatLng([0, y]), map.containerPointToLatLng([WIDTH, y]))
    const power = 10 ** Math.floor(Math.log10(metres))
    const round = power * (metres < 2 * power ? 1 : metres < 5 * power ? 2 : 5)
    bar.style.width = `${(WIDTH * round) / metres}px`
    bar.textContent = round < 1000 ? `${round} m` : `${round / 1000} km`
  }
  map.on('zoomend moveend', show)
  show()
}
