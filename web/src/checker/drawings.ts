import { isPlaced } from '@befaqt/domain/box-metrics'
import {
  COLD_LIMIT,
  inTimeOrder,
  intervals,
  isSilence,
  type Reading,
  usualInterval,
} from '@befaqt/domain/cold-chain'
import { tenths } from '@befaqt/domain/freshness-word'
import { momentText } from '@befaqt/domain/moment-text'
import type { Place } from '@befaqt/domain/place'
import { type Bounds, isWithin, type LngLat, readCoastline } from '#web/features/box/map/coastline.ts'
import australia from '#web/features/box/map/coastline-australia.json'
import world from '#web/features/box/map/coastline-world.json'
import { svg } from './dom.ts'

/* Drawings of what records say, in units of a small screen, so that words keep their size there. */

const WIDE = 440
const CHART = { height: 240, left: 44, top: 16, bottom: 30 }
/** Of a longer line the first, warmest, coldest and last reading in each of so many columns are drawn. */
const COLUMNS = 300

/** Temperatures along time. Null without two readings at different times. */
export function temperatureChart(readings: readonly Reading[], timeZone: string): SVGElement | null {
  const ordered = inTimeOrder(readings, timeZone)
  const [first, last] = [ordered[0], ordered.at(-1)]
  if (first === undefined || last === undefined || first.at === last.at) return null
  const degrees = ordered.map(({ temperature }) => temperature)
  const low = Math.floor(least(degrees, 0) - 1)
  const high = Math.ceil(most(degrees, COLD_LIMIT) + 1)
  const end = CHART.height - CHART.bottom
  const x = (at: number): number =>
    CHART.left + ((at - first.at) / (last.at - first.at)) * (WIDE - CHART.left - 12)
  const y = (degree: number): number => end - ((degree - low) / (high - low)) * (end - CHART.top)
  const usual = usualInterval(ordered)
  const silent = intervals(ordered).filter((interval) => isSilence(interval, usual))
  const line = thinned(ordered.map(({ at, temperature }) => [x(at), y(temperature)] as const))
  const starts = new Set(silent.map(({ to }) => x(to.at)))
  const ticks = [...new Set([low, 0, COLD_LIMIT, high])].filter((degree) => degree >= low && degree <= high)
  return svg(
    'svg',
    {
      viewBox: `0 0 ${WIDE} ${CHART.height}`,
      role: 'img',
      'aria-label': `Temperatures from ${momentText(first.time, timeZone)} to ${momentText(last.time, timeZone)}: ${tenths(least(degrees, Infinity))} to ${tenths(most(degrees, -Infinity))}.`,
      class: 'drawing',
    },
    ...ticks.flatMap((degree) => [
      svg('line', {
        x1: CHART.left,
        x2: WIDE - 12,
        y1: y(degree),
        y2: y(degree),
        class: degree === COLD_LIMIT ? 'limit' : 'grid',
      }),
      svg(
        'text',
        { x: CHART.left - 6, y: y(degree) + 4, 'text-anchor': 'end' },
        String(degree).replace('-', '−'),
      ),
    ]),
    ...silent.slice(0, 100).map(({ from, to }) =>
      svg('rect', {
        x: x(from.at),
        width: Math.max(1, x(to.at) - x(from.at)),
        y: CHART.top,
        height: end - CHART.top,
        class: 'silent',
      }),
    ),
    svg('path', {
      d: line
        .map(([px, py], i) => `${i === 0 || starts.has(px) ? 'M' : 'L'}${px.toFixed(1)} ${py.toFixed(1)}`)
        .join(''),
      class: 'line',
    }),
    svg('text', { x: CHART.left, y: CHART.height - 8 }, momentText(first.time, timeZone)),
    svg('text', { x: WIDE - 12, y: CHART.height - 8, 'text-anchor': 'end' }, momentText(last.time, timeZone)),
  )
}

const least = (values: readonly number[], from: number): number =>
  values.reduce((a, b) => Math.min(a, b), from)
const most = (values: readonly number[], from: number): number =>
  values.reduce((a, b) => Math.max(a, b), from)

type Point = readonly [x: number, y: number]

/** A line as it looks at this size: of each column the first, highest, lowest and last point. */
function thinned(points: readonly Point[]): Point[] {
  if (points.length <= 4 * COLUMNS) return [...points]
  const columns = Map.groupBy(points.entries(), ([, [x]]) => Math.floor((x / WIDE) * COLUMNS))
  return [...columns.values()].flatMap((column) => {
    const byHeight = column.toSorted(([, a], [, b]) => a[1] - b[1])
    const kept = new Map(
      [column[0], byHeight[0], byHeight.at(-1), column.at(-1)].filter((one) => one !== undefined),
    )
    return [...kept].sort(([a], [b]) => a - b).map(([, point]) => point)
  })
}

const MAP_HEIGHT = 420
/** Degrees that a map shows at least. */
const LEAST_SPAN = 0.4

/** The way that was measured, on an outline of the coast. Null without a position. */
export function trackMap(places: readonly Place[]): SVGElement | null {
  const placed = places.filter((place) => isPlaced(place) && Math.abs(place.latitude) <= 85)
  const [first, last] = [placed[0], placed.at(-1)]
  if (first === undefined || last === undefined) return null
  const bounds = boundsOf(placed)
  const scale = MAP_HEIGHT / (upright(bounds.north) - upright(bounds.south))
  const width = (bounds.east - bounds.west) * scale
  const at = ({ latitude, longitude }: Place): Point => [
    (longitude - bounds.west) * scale,
    (upright(bounds.north) - upright(latitude)) * scale,
  ]
  const coast = readCoastline(isWithin(bounds, australia.bounds) ? australia : world)
  const rings = coast.rings.filter((ring) => touches(ring, bounds)).slice(0, 400)
  const line = thinned(placed.map(at))
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width.toFixed(1)} ${MAP_HEIGHT}`,
      role: 'img',
      'aria-label': `The way of the box from ${placeText(first)} to ${placeText(last)}.`,
      class: 'drawing map',
    },
    svg('rect', { width: width.toFixed(1), height: MAP_HEIGHT, class: 'sea' }),
    ...rings.map((ring) =>
      svg('path', {
        d: `${pathOf(ring.map(([longitude, latitude]) => at({ latitude: clipped(latitude), longitude })))}Z`,
        class: 'land',
      }),
    ),
    svg('path', { d: pathOf(line), class: 'track' }),
    ...[first, last].map((place, i) =>
      svg('circle', {
        cx: at(place)[0].toFixed(1),
        cy: at(place)[1].toFixed(1),
        r: 6,
        class: i === 0 ? 'start' : 'end',
      }),
    ),
  )
}

const clipped = (latitude: number): number => Math.max(-85, Math.min(85, latitude))

/** How far up a latitude is drawn, in degrees at the equator: Mercator's. */
const upright = (latitude: number): number =>
  (Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) * 180) / Math.PI

function boundsOf(places: readonly Place[]): Bounds {
  const latitudes = places.map(({ latitude }) => latitude)
  const longitudes = places.map(({ longitude }) => longitude)
  const [south, north] = widened(least(latitudes, Infinity), most(latitudes, -Infinity))
  const [west, east] = widened(least(longitudes, Infinity), most(longitudes, -Infinity))
  const middle = (west + east) / 2
  const half = Math.max((east - west) / 2, ((upright(north) - upright(south)) / 2) * 1.2)
  return { south: clipped(south), north: clipped(north), west: middle - half, east: middle + half }
}

function widened(from: number, to: number): readonly [number, number] {
  const more = Math.max((to - from) * 0.2, (LEAST_SPAN - (to - from)) / 2, 0.05)
  return [from - more, to + more]
}

/** May a ring of land be in sight? */
function touches(ring: readonly LngLat[], { west, east, south, north }: Bounds): boolean {
  const xs = ring.map(([x]) => x)
  const ys = ring.map(([, y]) => y)
  return (
    least(xs, Infinity) <= east &&
    most(xs, -Infinity) >= west &&
    least(ys, Infinity) <= north &&
    most(ys, -Infinity) >= south
  )
}

const pathOf = (points: readonly Point[]): string =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** '33.8731° S, 151.1926° E' */
export const placeText = ({ latitude, longitude }: Place): string =>
  `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude).toFixed(4)}° ${longitude < 0 ? 'W' : 'E'}`
