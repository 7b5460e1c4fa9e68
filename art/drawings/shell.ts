import { mix, type Point } from './geometry.ts'
import { near } from './light.ts'
import { blob, raised } from './solid.ts'
import { inside, path, tag } from './svg.ts'

/** A closed two-part shell: half outline on one side, growth lines, one colour shading to another. */
type ShellPaint = {
  fill: string
  umbo: string
  line: string
  lines: number
  ribs?: number
  gloss?: number
  band?: string
}

/** A shell seen from its side; `through` runs round it with the hinge end first, at about (0, 90). */
export function shell(through: readonly Point[], paint: ShellPaint, round: 7 | 11 | 17 = 17): string {
  const hinge = through[0] ?? [0, 0]
  const d = blob(through)
  const rings = Array.from({ length: paint.lines }, (_, index) => {
    const share = (index + 1) / (paint.lines + 1)
    return blob(through.map(([x, y]): Point => [mix(hinge[0], x, share), mix(hinge[1], y, share)]))
  })
  const ribs = Array.from({ length: paint.ribs ?? 0 }, (_, index) => {
    const end = through[1 + Math.floor((index / (paint.ribs ?? 1)) * (through.length - 1))] ?? hinge
    const next = through[2 + Math.floor((index / (paint.ribs ?? 1)) * (through.length - 1))] ?? hinge
    const t = ((index / (paint.ribs ?? 1)) * (through.length - 1)) % 1
    return `M${hinge[0]} ${hinge[1]}L${mix(end[0], next[0], t)} ${mix(end[1], next[1], t)}`
  })
  return (
    raised(
      round,
      9,
      path(d, { fill: paint.fill, stroke: '#1a1510', 'stroke-width': 2, 'stroke-opacity': 0.5 }),
      inside(
        d,
        tag('circle', {
          cx: hinge[0],
          cy: hinge[1],
          r: 74,
          fill: paint.umbo,
          opacity: 0.8,
          filter: near(18),
        }),
        paint.band
          ? path(
              rings
                .slice(2)
                .filter((_, index) => index % 3 === 0)
                .join(''),
              { fill: 'none', stroke: paint.band, 'stroke-width': 9, opacity: 0.6, filter: near(3) },
            )
          : '',
        path(rings.join(''), { fill: 'none', stroke: paint.line, 'stroke-width': 2, opacity: 0.55 }),
        path(ribs.join(''), { fill: 'none', stroke: '#fff', 'stroke-width': 3.4, opacity: 0.5 }),
        path(ribs.join(''), {
          fill: 'none',
          stroke: paint.line,
          'stroke-width': 2,
          opacity: 0.6,
          transform: 'translate(2.4 0)',
        }),
      ),
    ) +
    tag('ellipse', {
      cx: -26,
      cy: -24,
      rx: 26,
      ry: 8,
      fill: '#fff',
      opacity: paint.gloss ?? 0.5,
      filter: near(3),
      transform: 'rotate(-40 -26 -24)',
    })
  )
}

export const musselShape: readonly Point[] = [
  [0, 118],
  [-26, 96],
  [-48, 46],
  [-58, -20],
  [-48, -82],
  [-14, -116],
  [28, -106],
  [56, -58],
  [54, 10],
  [32, 74],
  [14, 108],
]
export const pipiShape: readonly Point[] = [
  [36, 46],
  [-20, 48],
  [-74, 36],
  [-108, 8],
  [-104, -22],
  [-60, -42],
  [0, -48],
  [46, -36],
  [72, -6],
  [66, 30],
]
export const cockleShape: readonly Point[] = [
  [0, 62],
  [-40, 54],
  [-74, 24],
  [-82, -16],
  [-56, -54],
  [-8, -70],
  [44, -60],
  [76, -24],
  [74, 20],
  [42, 52],
]
