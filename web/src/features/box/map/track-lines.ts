import type { LatLngTuple } from 'leaflet'
import { Polyline } from './leaflet-parts.ts'
import type { MapPoint } from './map-marker.ts'

const latLng = ({ spot }: MapPoint): LatLngTuple => [spot.latitude, spot.longitude]

/**
 * The track as it is drawn: red where the box was followed, dashed where it was not, for want of positions or of
 * readings. Figures: spec §9.
 * @param unheard indexes of readings before which the sensor was silent
 */
export function trackLines(points: readonly MapPoint[], unheard: ReadonlySet<number>): Polyline[] {
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
