import type { Bounds, LngLat } from '../web/src/features/box/map/coastline.ts'

type Edge = { inside: (p: LngLat) => boolean; cross: (a: LngLat, b: LngLat) => LngLat }

/**
 * The part of a closed ring that lies within `bounds`, closed along its border; empty when nothing does.
 * Sutherland–Hodgman: one pass per side of the rectangle.
 */
export function clipRing(ring: readonly LngLat[], bounds: Bounds): LngLat[] {
  return edgesOf(bounds).reduce<LngLat[]>((part, edge) => clipAt(part, edge), [...ring])
}

function clipAt(ring: LngLat[], { inside, cross }: Edge): LngLat[] {
  const kept: LngLat[] = []
  ring.forEach((here, i) => {
    const before = ring[(i + ring.length - 1) % ring.length] ?? here
    if (inside(here) !== inside(before)) kept.push(cross(before, here))
    if (inside(here)) kept.push(here)
  })
  return kept
}

function edgesOf({ west, south, east, north }: Bounds): Edge[] {
  const atX =
    (x: number) =>
    (a: LngLat, b: LngLat): LngLat => [x, a[1] + ((b[1] - a[1]) * (x - a[0])) / (b[0] - a[0])]
  const atY =
    (y: number) =>
    (a: LngLat, b: LngLat): LngLat => [a[0] + ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]), y]
  return [
    { inside: (p) => p[0] >= west, cross: atX(west) },
    { inside: (p) => p[0] <= east, cross: atX(east) },
    { inside: (p) => p[1] >= south, cross: atY(south) },
    { inside: (p) => p[1] <= north, cross: atY(north) },
  ]
}

/**
 * The line with points left out that lie closer than `tolerance(point)` to the line without them
 * (Ramer–Douglas–Peucker). First and last point always stay. Same units in and out.
 */
export function simplify(line: readonly LngLat[], tolerance: (p: LngLat) => number): LngLat[] {
  const keep = new Set([0, line.length - 1])
  const spans: [number, number][] = [[0, line.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [from, to] = span
    const farthest = farthestBetween(line, from, to, tolerance)
    if (farthest === null) continue
    keep.add(farthest)
    spans.push([from, farthest], [farthest, to])
  }
  return line.filter((_, i) => keep.has(i))
}

function farthestBetween(
  line: readonly LngLat[],
  from: number,
  to: number,
  tolerance: (p: LngLat) => number,
): number | null {
  const [a, b] = [line[from], line[to]]
  if (!a || !b) return null
  let farthest: number | null = null
  let most = 1
  for (let i = from + 1; i < to; i++) {
    const p = line[i]
    if (!p) continue
    const excess = distanceToSegment(p, a, b) / tolerance(p)
    if (excess > most) [farthest, most] = [i, excess]
  }
  return farthest
}

/** Distance of `p` from the straight line between `a` and `b`, in the units of the coordinates. */
export function distanceToSegment(p: LngLat, a: LngLat, b: LngLat): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const length2 = dx * dx + dy * dy
  const along = length2 === 0 ? 0 : ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length2
  const t = Math.min(1, Math.max(0, along))
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)
}
