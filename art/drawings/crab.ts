import { away, closed, line, mix, type Point, ring, smooth } from './geometry.ts'
import { near } from './light.ts'
import { blob, limb, mirrored, pair, raised, type Surface, surface } from './solid.ts'
import { inside, path, tag } from './svg.ts'

/** A jointed leg: places of its joints and the width at each; `tip` colours its last joint. */
export type Leg = { joints: readonly Point[]; widths: readonly number[]; paddle?: boolean }

/** A crab seen from above, right half given, centre of the shell at (0, 0), front upwards. */
export type Crab = {
  shell: readonly Point[]
  teeth?: { from: number; to: number; count: number; size: number }
  skin: Surface
  limbs: Surface
  tip: string
  legs: readonly Leg[]
  arm: Leg
  claw: { at: Point; turn: number; length: number; width: number; hook?: number }
  marks?: string
  eyes: Point
}

function leg({ joints, widths, paddle }: Leg, skin: Surface, tip: string): string {
  const pieces = joints.slice(0, -1).map((from, index) => {
    const to = joints[index + 1] ?? from
    const [a, b] = [widths[index] ?? 20, widths[index + 1] ?? 10]
    const last = index === joints.length - 2
    const middle: Point = [
      mix(from[0], to[0], 0.5) + (to[1] - from[1]) * 0.07,
      mix(from[1], to[1], 0.5) - (to[0] - from[0]) * 0.07,
    ]
    const shape = closed(
      limb([from, middle, to], last && paddle ? [a * 0.5, a * 1.9, a * 1.7, 12] : [a * 0.75, a, b], 22),
    )
    const glow = last
      ? inside(
          shape,
          tag('circle', {
            cx: to[0],
            cy: to[1],
            r: Math.max(30, a * 1.3),
            fill: tip,
            opacity: 0.85,
            filter: near(12),
          }),
        )
      : ''
    return surface(shape, skin) + glow
  })
  return pieces.reverse().join('')
}

/** A claw pointing up: the hand with its fixed finger, and the finger that moves. */
function claw({ at, turn, length, width, hook = 0.3 }: Crab['claw'], skin: Surface, tip: string): string {
  const hand = blob([
    [-width * 0.3, 0],
    [-width * 0.56, -length * 0.22],
    [-width * 0.5, -length * 0.5],
    [-width * 0.42, -length * 0.72],
    [-width * 0.12 + width * hook * 0.3, -length],
    [-width * 0.1, -length * 0.76],
    [width * 0.04, -length * 0.54],
    [width * 0.42, -length * 0.5],
    [width * 0.5, -length * 0.24],
    [width * 0.3, 0],
  ])
  const finger = blob([
    [width * 0.1, -length * 0.5],
    [width * 0.16, -length * 0.72],
    [-width * 0.02, -length * 0.98],
    [width * 0.34, -length * 0.86],
    [width * 0.5, -length * 0.62],
    [width * 0.42, -length * 0.46],
  ])
  const bumps = Array.from({ length: 5 }, (_, step) =>
    tag('circle', {
      cx: -width * 0.14 + step * 2,
      cy: -length * (0.6 + step * 0.07),
      r: width * 0.045,
      fill: '#fff6e4',
    }),
  )
  const points = [hand, finger].map((shape) =>
    inside(
      shape,
      tag('ellipse', {
        cx: 0,
        cy: -length,
        rx: width * 0.7,
        ry: length * 0.26,
        fill: tip,
        opacity: 0.85,
        filter: near(12),
      }),
    ),
  )
  return `<g transform="translate(${at[0]} ${at[1]}) rotate(${turn})">${surface(finger, skin)}${points[1] ?? ''}${bumps.join('')}${surface(hand, skin)}${points[0] ?? ''}</g>`
}

function teethOf(outline: readonly Point[], { from, to, count, size }: NonNullable<Crab['teeth']>): string {
  const half = smooth(outline, 200)
  return Array.from({ length: count }, (_, step) => {
    const [x, y] = half[Math.round(mix(from, to, step / (count - 1)) * 199)] ?? [0, 0]
    const out = away([x, y], -52 + step * 6, step === count - 1 ? size * 2.2 : size)
    return `M${x - size * 0.6} ${y - size * 0.4}L${out[0]} ${out[1]}L${x + size * 0.5} ${y + size * 0.7}Z`
  }).join('')
}

/** Grooves that every crab's shell has: an H behind the eyes, two bows behind it. */
const grooves = (d: string, width: number): string =>
  inside(
    d,
    pair(
      path(
        `M0 ${-width * 0.02}Q${width * 0.1} ${-width * 0.08} ${width * 0.13} ${-width * 0.2}M${width * 0.06} ${width * 0.05}Q${width * 0.2} ${width * 0.02} ${width * 0.34} ${-width * 0.06}M${width * 0.08} ${width * 0.16}Q${width * 0.1} ${width * 0.08} ${width * 0.06} ${width * 0.02}`,
        {
          fill: 'none',
          stroke: '#000',
          'stroke-width': 9,
          opacity: 0.4,
          filter: near(5),
          'stroke-linecap': 'round',
        },
      ),
    ),
    pair(
      path(
        `M${width * 0.02} ${-width * 0.035}Q${width * 0.12} ${-width * 0.1} ${width * 0.15} ${-width * 0.2}`,
        { fill: 'none', stroke: '#fff', 'stroke-width': 4, opacity: 0.35, filter: near(2) },
      ),
    ),
  )

/** Draws a crab, some 1000 across, with its shadow. */
export function crab(spec: Crab): string {
  const outline = mirrored(spec.shell)
  const d = closed(ring(outline, 140))
  const width = Math.max(...spec.shell.map((point) => point[0])) * 2
  const [eyeX, eyeY] = spec.eyes
  const eyes = pair(
    path(
      line([
        [eyeX - 8, eyeY + 24],
        [eyeX, eyeY],
      ]),
      { stroke: spec.limbs.fill, 'stroke-width': 13, 'stroke-linecap': 'round' },
    ) +
      tag('circle', { cx: eyeX, cy: eyeY, r: 10, fill: '#0c0c0e' }) +
      tag('circle', { cx: eyeX - 3, cy: eyeY - 4, r: 3.4, fill: '#fff' }),
  )
  const feelers = pair(
    path(`M14 ${eyeY + 18}Q22 ${eyeY - 40} 60 ${eyeY - 66}`, {
      fill: 'none',
      stroke: spec.tip,
      'stroke-width': 3,
    }),
  )
  return (
    raised(
      11,
      16,
      pair(
        spec.legs.map((one) => leg(one, spec.limbs, spec.tip)).join('') +
          leg(spec.arm, spec.limbs, spec.limbs.fill) +
          claw(spec.claw, spec.limbs, spec.tip),
      ),
    ) +
    feelers +
    raised(
      40,
      24,
      spec.teeth
        ? pair(
            path(teethOf(spec.shell, spec.teeth), {
              fill: spec.skin.fill,
              stroke: '#000',
              'stroke-width': 1.2,
              'stroke-opacity': 0.4,
            }),
          )
        : '',
      surface(d, spec.skin),
      spec.marks ? inside(d, spec.marks) : '',
      grooves(d, width),
    ) +
    eyes
  )
}
