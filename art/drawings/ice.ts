import { away, closed, line, mixPoint, type Point } from './geometry.ts'
import { blur } from './light.ts'
import { between, type Random } from './random.ts'
import { group, path } from './svg.ts'

function shard(center: Point, size: number, random: Random): Point[] {
  const corners = 5 + Math.floor(random() * 3)
  const turn = random() * 360
  return Array.from({ length: corners }, (_, index) => {
    const [x, y] = away(
      [0, 0],
      turn + (index + between(random, -0.28, 0.28)) * (360 / corners),
      size * between(random, 0.72, 1.1),
    )
    return [center[0] + x * 1.12, center[1] + y * 0.82]
  })
}

/** How much lamp a facet whose edge runs from `a` to `b` gets: -1 turned away, 1 full. */
function lampOn(a: Point, b: Point): number {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const length = Math.hypot(dx, dy) || 1
  return (dy / length) * -0.62 - (-dx / length) * 0.78
}

function facets(corners: readonly Point[], center: Point, clear: number): string {
  return corners
    .map((corner, index) => {
      const next = corners[(index + 1) % corners.length] ?? corner
      const light = lampOn(corner, next)
      const fill = light > 0 ? '#ffffff' : '#3f7388'
      const opacity = (light > 0 ? 0.75 * light : -0.42 * light) * clear
      return path(closed([corner, next, center]), { fill, 'fill-opacity': opacity.toFixed(2) })
    })
    .join('')
}

/** One lump of crushed ice: a clear body, facets shaded by the lamp, one bright edge. */
export function lump(center: Point, size: number, random: Random, clear = 1): string {
  const corners = shard(center, size, random)
  const peak: Point = [
    center[0] + between(random, -0.3, 0.2) * size,
    center[1] + between(random, -0.35, 0.1) * size,
  ]
  const body = ['#dcebf1', '#cfe3ec', '#e9f3f6', '#c3dbe6'][Math.floor(random() * 4)] ?? '#dcebf1'
  const inner = corners.map((corner) => mixPoint(peak, corner, 0.42))
  const glint =
    random() > 0.7
      ? path(line([mixPoint(corners[0] ?? peak, peak, 0.1), peak]), {
          stroke: '#fff',
          'stroke-width': size / 16,
          'stroke-linecap': 'round',
          opacity: 0.8,
        })
      : ''
  return (
    path(closed(corners), { fill: body, 'fill-opacity': 0.82 }) +
    facets(corners, peak, clear) +
    path(closed(inner), { fill: '#f7fcfd', 'fill-opacity': 0.4 * clear }) +
    glint
  )
}

/** Lumps strewn over a field, back to front, bigger towards the viewer, shadows under each row. */
export function iceField(random: Random, top: number, bottom: number, edge: (x: number) => number): string {
  const rows: string[] = []
  for (let y = top; y < bottom; ) {
    const depth = (y - top) / (bottom - top)
    const size = 17 + depth * 26
    const centers: Point[] = []
    for (let x = -40; x < 1540; x += size * between(random, 0.9, 1.5)) {
      const at: Point = [x, y + between(random, -0.5, 0.5) * size]
      if (at[1] > edge(x)) centers.push(at)
    }
    const shadow = centers
      .map(([x, at]) =>
        closed([
          [x - size, at],
          [x + size, at],
          [x + size * 0.7, at + size],
          [x - size * 0.5, at + size],
        ]),
      )
      .join('')
    rows.push(path(shadow, { fill: '#38606f', 'fill-opacity': 0.2, filter: blur(3) }))
    const lumps = centers.map((at) => lump(at, size * between(random, 0.65, 1.25), random)).join('')
    rows.push(group({ filter: blur(depth < 0.14 ? 3 : depth < 0.27 ? 2 : 1) }, lumps))
    y += size * 0.72
  }
  return rows.join('')
}
