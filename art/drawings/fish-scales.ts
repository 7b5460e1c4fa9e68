import type { Body } from './fish-body.ts'
import type { Point } from './geometry.ts'
import { far } from './light.ts'
import type { Random } from './random.ts'
import { freshId, group, path, tag } from './svg.ts'

/** Scales: `rows` from back to belly, from the gill cover at `from`; `strength` 0 to 1. */
export type Scales = { rows: number; from: number; strength: number }

const cup = ([x, y]: Point, width: number, height: number): string =>
  `M${x.toFixed(1)} ${(y - height / 2).toFixed(1)}q${(width * 1.05).toFixed(1)} ${(height / 2).toFixed(1)} 0 ${height.toFixed(1)}`

/** Scales in body-following rows: dark rims, lit rims beside them, and some that catch the lamp. */
export function scales(body: Body, { rows, from, strength }: Scales, random: Random): string {
  const dark: string[] = []
  const light: string[] = []
  const glints: string[] = []
  for (let u = from, column = 0; u < 0.995; column++) {
    const height = body.depth(u) / rows
    const width = Math.max(height * 0.62, 3)
    for (let row = 0; row < rows; row++) {
      const place = body.at(u, (row + (column % 2) / 2 + 0.25) / rows)
      dark.push(cup(place, width, height))
      light.push(cup([place[0] - width * 0.28, place[1] + 0.6], width, height * 0.86))
      if (random() > 0.84)
        glints.push(`${cup([place[0] - width * 0.4, place[1]], width * 1.25, height * 0.9)}Z`)
    }
    u += width / 1000
  }
  const id = freshId()
  const veil = tag(
    'mask',
    { id, maskUnits: 'userSpaceOnUse', x: -100, y: -500, width: 1300, height: 1000 },
    path(body.outline, { fill: '#fff', 'fill-opacity': 0.35 }),
    path(strand(body, from), {
      stroke: '#fff',
      'stroke-width': body.depth(0.4) * 0.62,
      fill: 'none',
      filter: far(26),
    }),
  )
  return (
    veil +
    group(
      { mask: `url(#${id})`, fill: 'none' },
      path(glints.join(''), { fill: '#fffaf0', opacity: 0.34 * strength }),
      path(dark.join(''), { stroke: '#14232c', 'stroke-width': 1.5, opacity: 0.42 * strength }),
      path(light.join(''), { stroke: '#ffffff', 'stroke-width': 1.3, opacity: 0.5 * strength }),
    )
  )
}

function strand(body: Body, from: number): string {
  const places = Array.from({ length: 20 }, (_, step) => body.at(from + ((1 - from) * step) / 19, 0.42))
  return places.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
}
