import { along, type Body, bodyOf, type Outline, strip } from './fish-body.ts'
import { type Edge, edgeFin, type Side, sideFin, type Tail, tail } from './fish-fins.ts'
import { type Head, head } from './fish-head.ts'
import { type Scales, scales } from './fish-scales.ts'
import { blur, far, round } from './light.ts'
import { nest } from './place.ts'
import type { Random } from './random.ts'
import { group, inside, path } from './svg.ts'

/** A soft band of colour along the body, from `v0` to `v1`, `u0` to `u1`. */
type Band = {
  v0: number
  v1: number
  color: string
  opacity?: number
  soft?: 5 | 8 | 12 | 18 | 26 | 40
  u0?: number
  u1?: number
}

/** Everything that makes a species. Lengths are shares of the standard length, or thousandths where said. */
export type Species = {
  outline: Outline
  base: string
  bands: readonly Band[]
  marks?: (body: Body, random: Random) => string
  scales?: Scales
  sheen?: string
  tint?: string
  shade?: string
  lateral?: { v: readonly [from: number, to: number]; color: string; opacity?: number }
  head: Head
  ice?: number
  plump?: 7 | 11 | 17 | 26 | 40
  tail: Tail
  back?: readonly Edge[]
  belly?: readonly Edge[]
  pectoral?: Side
  pelvic?: Side
  over?: (body: Body, random: Random) => string
}

function skin(body: Body, fish: Species, random: Random): string {
  const bands = fish.bands.map(({ v0, v1, color, opacity = 1, soft = 18, u0 = -0.05, u1 = 1.05 }) =>
    path(strip(body, v0, v1, u0, u1), { fill: color, opacity, filter: blur(soft) }),
  )
  return (
    path(body.outline, { fill: fish.base }) +
    bands.join('') +
    path(body.outline, { fill: fish.tint ?? '#000', opacity: 0.2, filter: 'url(#cloud)' }) +
    path(body.outline, { fill: '#fff', opacity: 0.07, filter: 'url(#streak)' }) +
    (fish.marks?.(body, random) ?? '') +
    (fish.scales ? scales(body, fish.scales, random) : '')
  )
}

/** The wet gleam: a broad lamp streak high on the flank, cool bounce from the ice along the belly. */
function gleam(body: Body, color: string, shade: string, back: string): string {
  return (
    path(strip(body, 0.16, 0.3, 0.1, 0.9), { fill: color, opacity: 0.16, filter: blur(18) }) +
    path(strip(body, 0.2, 0.24, 0.28, 0.72), { fill: '#fffdf4', opacity: 0.55, filter: 'url(#gleam)' }) +
    path(strip(body, 0.86, 0.95, 0.12, 0.85), { fill: '#e9f7ff', opacity: 0.3, filter: blur(12) }) +
    path(strip(body, 0.82, 1.2, -0.05, 0.97), { fill: shade, opacity: 0.4, filter: blur(18) }) +
    path(strip(body, -0.2, 0.15, 0.02, 0.99), { fill: back, opacity: 0.6, filter: blur(12) }) +
    path(strip(body, -0.2, 0.06, -0.05, 0.97), { fill: shade, opacity: 0.3, filter: blur(12) }) +
    path(along(body, 0.025, 0.02, 0.97), {
      fill: 'none',
      stroke: '#fff3da',
      'stroke-width': 5,
      opacity: 0.32,
      filter: blur(3),
    })
  )
}

function lateralLine(body: Body, { v, color, opacity = 0.5 }: NonNullable<Species['lateral']>): string {
  const steps = Array.from({ length: 60 }, (_, step) => step / 59)
  const d = steps.map((t, index) => {
    const [x, y] = body.at(0.27 + t * 0.72, v[0] + (v[1] - v[0]) * t ** 0.6)
    return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`
  })
  return path(d.join(''), {
    fill: 'none',
    stroke: color,
    'stroke-width': 4,
    'stroke-dasharray': '9 4',
    opacity,
  })
}

/** A whole fish, snout at (0, 0), 1000 long without its tail, with the shadow it throws. */
export function fish(species: Species, random: Random): string {
  const body = bodyOf(species.outline)
  const behind =
    tail(body, species.tail) +
    (species.back ?? []).map((edge) => edgeFin(body, -1, edge)).join('') +
    (species.belly ?? []).map((edge) => edgeFin(body, 1, edge)).join('') +
    (species.pelvic ? sideFin(body, { ...species.pelvic, point: 1 - (species.pelvic.point ?? 0.5) }) : '')
  const flesh = inside(
    body.outline,
    group({ filter: round(species.plump ?? 26) }, skin(body, species, random)),
    species.lateral ? lateralLine(body, species.lateral) : '',
    gleam(
      body,
      species.sheen ?? '#ffffff',
      species.shade ?? '#12242e',
      species.bands[0]?.color ?? species.base,
    ),
    head(body, species.head),
  )
  return (
    shadow(body) +
    group({ filter: round(2) }, behind) +
    flesh +
    (species.over?.(body, random) ?? '') +
    (species.pectoral ? pectoral(body, species.pectoral) : '') +
    (species.ice === 0
      ? ''
      : nest(
          random,
          Array.from({ length: 10 }, (_, step) => body.at(0.2 + step * 0.075 + random() * 0.03, 1)),
          species.ice ?? 27,
        ))
  )
}

function shadow(body: Body): string {
  return (
    path(body.outline, { fill: '#16323f', opacity: 0.5, filter: far(26), transform: 'translate(16 34)' }) +
    path(body.outline, { fill: '#0d222c', opacity: 0.55, filter: far(8), transform: 'translate(5 10)' })
  )
}

function pectoral(body: Body, spec: Side): string {
  const drawn = sideFin(body, spec)
  return (
    group({ opacity: 0.5, filter: 'url(#dark)', transform: 'translate(4 9)' }, drawn) +
    group({ filter: round(2) }, drawn)
  )
}
