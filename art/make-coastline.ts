import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature } from 'topojson-client'
import type { Bounds, CoastlineFile, LngLat } from '../web/src/features/box/map/coastline.ts'
import { clipRing, simplify } from './polygon-clipping.ts'

/*
 * Makes the two coastlines that the box page draws when no map tiles are configured, from Natural Earth's land as
 * the package world-atlas carries it. Run it again after changing the figures: node art/make-coastline.ts
 */

const require = createRequire(import.meta.url)

/** Fine where boxes travel (New South Wales), plain along the east of Australia, coarse beyond. Degrees. */
function fineness([longitude, latitude]: LngLat): number {
  if (longitude > 149 && longitude < 154.5 && latitude > -38 && latitude < -28) return 0.0015
  if (longitude > 140 && longitude < 160 && latitude > -45 && latitude < -10) return 0.01
  return 0.08
}

type Shape = { type: string; coordinates: unknown }
type Land = { geometry: Shape } | { features: { geometry: Shape }[] }

function landOf(atlas: string): LngLat[][] {
  const topology = JSON.parse(readFileSync(atlas, 'utf8'))
  const made: unknown = feature(topology, 'land')
  const land = made as Land
  return ('features' in land ? land.features : [land]).flatMap(({ geometry }) => ringsOf(geometry))
}

function ringsOf({ type, coordinates }: Shape): LngLat[][] {
  return type === 'Polygon' ? (coordinates as LngLat[][]) : (coordinates as LngLat[][][]).flat()
}

function coastline(
  atlas: string,
  bounds: Bounds,
  scale: number,
  tolerance: (p: LngLat) => number,
): CoastlineFile {
  const rings = landOf(atlas)
    .flatMap((ring) => aroundTheWorld(unwrap(ring)))
    .map((ring) => clipRing(ring, bounds))
    .map((ring) => simplify(halvable(ring), tolerance))
    .filter((ring) => ring.length > 3)
    .map((ring) => writeRing(ring, scale))
    .filter((steps) => steps.length > 6)
  return { bounds, scale, rings }
}

/** The ring with longitudes beyond 180 where it crosses the date line, instead of a jump across the world. */
function unwrap(ring: LngLat[]): LngLat[] {
  let turns = 0
  return ring.map(([longitude, latitude], i) => {
    const step = longitude - (ring[i - 1]?.[0] ?? longitude)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    return [longitude + 360 * turns, latitude]
  })
}

/** The ring as seen from the worlds to the left and to the right too; clipping keeps what is on the map. */
const aroundTheWorld = (ring: LngLat[]): LngLat[][] =>
  [-360, 0, 360].map((shift) => ring.map(([longitude, latitude]) => [longitude + shift, latitude]))

/** The ring begun at its western end, so that simplifying starts from a point that must stay. */
function halvable(ring: LngLat[]): LngLat[] {
  const west = ring.reduce((best, p, i) => (p[0] < (ring[best]?.[0] ?? Infinity) ? i : best), 0)
  const turned = [...ring.slice(west), ...ring.slice(0, west)]
  return turned[0] ? [...turned, turned[0]] : turned
}

/** The same ring as steps of whole numbers; points that fall together are written once. */
function writeRing(ring: readonly LngLat[], scale: number): number[] {
  const steps: number[] = []
  let before: [number, number] = [0, 0]
  for (const [longitude, latitude] of ring) {
    const here: [number, number] = [Math.round(longitude * scale), Math.round(latitude * scale)]
    const step: [number, number] = [here[0] - before[0], here[1] - before[1]]
    if (steps.length > 0 && step[0] === 0 && step[1] === 0) continue
    steps.push(...step)
    before = here
  }
  return steps
}

function write(name: string, file: CoastlineFile): void {
  const text = `${JSON.stringify(file)}\n`
  writeFileSync(new URL(name, import.meta.url), text)
  process.stdout.write(`${name}: ${file.rings.length} rings, ${text.length} bytes\n`)
}

write(
  '../web/src/features/box/map/coastline-australia.json',
  coastline(
    require.resolve('world-atlas/land-10m.json'),
    { west: 110, south: -50, east: 180, north: 0 },
    1000,
    fineness,
  ),
)
write(
  '../web/src/features/box/map/coastline-world.json',
  coastline(
    require.resolve('world-atlas/land-110m.json'),
    { west: -180, south: -60, east: 180, north: 85 },
    100,
    () => 0.05,
  ),
)
