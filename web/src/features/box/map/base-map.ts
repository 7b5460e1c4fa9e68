import type { Place } from '@befaqt/domain/place'
import type { LatLngBounds, LatLngExpression, TileLayer } from 'leaflet'
import { towns } from '../towns.ts'
import { type Bounds, type Coastline, type CoastlineFile, isWithin, readCoastline } from './coastline.ts'
import australiaUrl from './coastline-australia.json?url'
import worldUrl from './coastline-world.json?url'
import { townPlaces } from './declutter.ts'
import stylesUrl from './leaflet-look.css?url'
import { DivIcon, LeafletMap, Marker, Polygon } from './leaflet-parts.ts'

/** What is drawn beneath everything else. */
export type Ground = {
  /** URL of the tiles with {z}, {x} and {y}; null: the built-in coastline. */
  tiles: string | null
  attribution: string | null
  /** Tiles could not be had, the coastline is shown instead. */
  onTilesFailed?: () => void
}

/** `fit`: what has to be in sight. `track`: what names of towns leave free. */
type View = { centre: Place; zoom: number; fit?: LatLngBounds; track?: readonly LatLngExpression[] }

/** The coastline is drawn to about a kilometre: nearer than this it says nothing. */
const COAST_ZOOM = 11
const TILE_ZOOM = 16
/** Share of the map that stays free at each edge around what has to be in sight. */
const EDGE = 0.06

/**
 * A map with its ground and nothing else on it. Rejects when its stylesheet, or the coastline where it is
 * needed, can't be loaded.
 * @param view where it begins; farther out where `fit` needs it
 */
export async function baseMap(element: HTMLElement, view: View, ground: Ground): Promise<LeafletMap> {
  styles ??= addStyles()
  await styles
  const tileLayer = ground.tiles === null ? null : await tileLayerOf(ground, ground.tiles)
  const map = emptyMap(element, view, ground.tiles !== null)
  if (view.fit && !map.getBounds().pad(-EDGE).contains(view.fit))
    map.fitBounds(view.fit, { padding: [40, 40], animate: false })
  try {
    await addGround(map, tileLayer, ground.onTilesFailed, view.track ?? [])
    addScale(map)
    return map
  } catch (error) {
    map.remove()
    throw error
  }
}

let styles: Promise<void> | undefined

/** Adds the stylesheet of maps to the page. One that failed is fetched again the next time, as Vite's own import is not. */
function addStyles(): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: stylesUrl })
  const added = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      link.remove()
      styles = undefined
      reject(new Error('the stylesheet of the map could not be loaded'))
    })
  })
  document.head.append(link)
  return added
}

function emptyMap(element: HTMLElement, { centre, zoom }: View, attributionControl: boolean): LeafletMap {
  const animated = !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  const byTouch = window.matchMedia('(pointer: coarse)').matches
  return new LeafletMap(element, {
    center: [centre.latitude, centre.longitude],
    zoom,
    minZoom: 3,
    zoomSnap: 0.25,
    maxZoom: attributionControl ? TILE_ZOOM : COAST_ZOOM,
    attributionControl,
    scrollWheelZoom: false,
    dragging: !byTouch,
    zoomAnimation: animated,
    fadeAnimation: animated,
    markerZoomAnimation: animated,
  })
}

async function tileLayerOf({ attribution }: Ground, tiles: string): Promise<TileLayer> {
  const { TileLayer } = await import('./tile-layer.ts')
  return new TileLayer(tiles, { maxZoom: TILE_ZOOM, attribution: attribution ?? '' })
}

/** Draws tiles, or the built-in land where there are none. */
async function addGround(
  map: LeafletMap,
  tileLayer: TileLayer | null,
  onTilesFailed: Ground['onTilesFailed'],
  track: readonly LatLngExpression[],
): Promise<void> {
  if (tileLayer === null) return addCoast(map, await loadCoastline(boundsOf(map)), track)
  tileLayer.addTo(map).once('tileerror', () => {
    onTilesFailed?.()
    map.setMaxZoom(COAST_ZOOM)
    loadCoastline(boundsOf(map)).then(
      (coast) => addCoast(map, coast, track),
      () => undefined,
    )
  })
}

function boundsOf(map: LeafletMap): Bounds {
  const bounds = map.getBounds()
  return {
    west: bounds.getWest(),
    south: bounds.getSouth(),
    east: bounds.getEast(),
    north: bounds.getNorth(),
  }
}

function addCoast(map: LeafletMap, { rings }: Coastline, track: readonly LatLngExpression[]): void {
  const land = rings.map((ring) => [
    ring.map(([longitude, latitude]): LatLngExpression => [latitude, longitude]),
  ])
  new Polygon(land, { className: 'land', weight: 1, fillOpacity: 1, interactive: false })
    .addTo(map)
    .bringToBack()
  addTownNames(map, track)
}

/** Where the finer coastline ends; what reaches beyond is shown on the world's. Says the same as its file. */
const australia: Bounds = { west: 110, south: -50, east: 180, north: 0 }

/** The finest coastline that covers all of `bounds`, fetched when asked for, as data and not as script. */
async function loadCoastline(bounds: Bounds): Promise<Coastline> {
  const answer = await fetch(isWithin(bounds, australia) ? australiaUrl : worldUrl)
  if (!answer.ok) throw new Error(`the coastline could not be loaded: ${answer.status}`)
  const file: CoastlineFile = await answer.json()
  return readCoastline(file)
}

/** At most so wide, in pixels. */
const WIDTH = 100

/** A bar as long as a round distance at the middle of the map. Half of what Leaflet's own control takes. */
function addScale(map: LeafletMap): void {
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
  map.on('unload', () => map.off('zoomend moveend', show)) // Leaflet says it of a resized map also when that is gone
  show()
}

/** Half of a mark on the track, with a little room. */
const MARK = 10

/** Writes the names of ports where there is room, anew after each zoom. @param track that they must leave free */
function addTownNames(map: LeafletMap, track: readonly LatLngExpression[]): void {
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
