import { across, type Body } from './fish-body.ts'
import { away, line, type Point, smooth } from './geometry.ts'
import { near } from './light.ts'
import { group, path, radial, tag } from './svg.ts'

/** An eye at [u, v], radius in thousandths of the length; `iris` its ring. */
type Eye = { u: number; v: number; r: number; iris: string; rim?: string }

/** A clear, bulging, just-caught eye with the lamp in it. */
export function eye(at: Point, r: number, iris: string, rim = '#20262b'): string {
  const [x, y] = at
  const [ring, ringFill] = radial(x - r * 0.2, y - r * 0.25, r * 1.15, [
    [0, '#fff7dc'],
    [0.5, iris],
    [0.88, iris],
    [1, rim],
  ])
  const [pupil, pupilFill] = radial(x - r * 0.1, y - r * 0.15, r * 0.62, [
    [0, '#0a1016'],
    [0.7, '#05080b'],
    [1, '#1d2a35'],
  ])
  return (
    ring +
    pupil +
    tag('circle', {
      cx: x + r * 0.1,
      cy: y + r * 0.14,
      r: r * 1.3,
      fill: '#1a1512',
      opacity: 0.35,
      filter: near(5),
    }) +
    tag('circle', { cx: x, cy: y, r: r * 1.1, fill: rim, opacity: 0.75 }) +
    tag('circle', { cx: x, cy: y, r, fill: ringFill }) +
    tag('circle', { cx: x, cy: y, r: r * 0.57, fill: pupilFill }) +
    path(
      line(
        smooth(
          [15, 35, 55, 75, 95, 110].map((turn) => away(at, turn, r * 0.79)),
          12,
        ),
      ),
      {
        fill: 'none',
        stroke: '#fff',
        'stroke-width': r * 0.1,
        opacity: 0.4,
        'stroke-linecap': 'round',
      },
    ) +
    tag('ellipse', {
      cx: x - r * 0.3,
      cy: y - r * 0.34,
      rx: r * 0.26,
      ry: r * 0.19,
      fill: '#fffdf6',
      opacity: 0.95,
      transform: `rotate(-35 ${x - r * 0.3} ${y - r * 0.34})`,
    }) +
    tag('circle', { cx: x + r * 0.26, cy: y + r * 0.3, r: r * 0.08, fill: '#cfeaff', opacity: 0.8 })
  )
}

/** Gill cover reaching to `gill`; the mouth's line through [u, v] places, from the front backwards. */
export type Head = {
  gill: number
  mouth: readonly Point[]
  eye: Eye
  line?: string
  jaw?: readonly Point[]
  cheek?: string
}

const soft = (
  d: string,
  stroke: string,
  width: number,
  opacity: number,
  size: 2 | 3 | 5 | 8,
  dx = 0,
): string =>
  path(d, {
    fill: 'none',
    stroke,
    'stroke-width': width,
    opacity,
    filter: near(size),
    transform: `translate(${dx} 0)`,
  })

function gillCover(body: Body, gill: number): string {
  const places: Point[] = [
    [gill - 0.045, 0.1],
    [gill - 0.008, 0.3],
    [gill, 0.48],
    [gill - 0.022, 0.68],
    [gill - 0.075, 0.86],
    [gill - 0.14, 0.98],
  ]
  const edge = across(body, places)
  const front = across(
    body,
    places.map(([u, v]): Point => [u - gill * 0.3 - (v - 0.5) * 0.02, 0.2 + v * 0.74]),
  )
  const ridge = across(body, [
    [gill - 0.1, 0.34],
    [gill - 0.03, 0.42],
    [gill - 0.004, 0.47],
  ])
  return (
    soft(edge, '#0d1519', 16, 0.6, 8, 7) +
    soft(edge, '#0d1519', 5, 0.75, 2, 2) +
    soft(edge, '#ffffff', 5, 0.6, 3, -6) +
    soft(front, '#151c20', 9, 0.4, 5, 3) +
    soft(front, '#ffffff', 5, 0.4, 3, -5) +
    soft(ridge, '#ffffff', 4, 0.35, 2)
  )
}

/** Gill cover, cheek, mouth, nostrils and eye. */
export function head(
  body: Body,
  { gill, mouth, eye: spec, line: lip = '#2a1712', jaw, cheek }: Head,
): string {
  const mouthLine = across(body, mouth)
  const at = body.at(spec.u, spec.v)
  const nose = away(at, 200, spec.r * 1.75)
  const end = mouth.at(-1) ?? [0, 0.5]
  const plate = body.at(end[0], end[1])
  return (
    (cheek
      ? tag('ellipse', {
          cx: body.at(gill * 0.62, 0.66)[0],
          cy: body.at(gill * 0.62, 0.66)[1],
          rx: gill * 330,
          ry: gill * 260,
          fill: cheek,
          opacity: 0.5,
          filter: near(18),
        })
      : '') +
    gillCover(body, gill) +
    group(
      { 'stroke-linecap': 'round', fill: 'none' },
      soft(mouthLine, '#0c0a09', 11, 0.32, 5),
      path(mouthLine, { stroke: lip, 'stroke-width': 3.6, opacity: 0.85 }),
      path(mouthLine, { stroke: '#fff', 'stroke-width': 2.4, opacity: 0.4, transform: 'translate(1 6)' }),
      path(mouthLine, { stroke: '#fff', 'stroke-width': 2, opacity: 0.3, transform: 'translate(1 -6)' }),
      jaw ? soft(across(body, jaw), '#120d0b', 5, 0.5, 3) : '',
    ) +
    tag('ellipse', {
      cx: plate[0] + 3,
      cy: plate[1],
      rx: 9,
      ry: 15,
      fill: '#fff',
      opacity: 0.16,
      filter: near(3),
    }) +
    tag('ellipse', { cx: nose[0], cy: nose[1], rx: 5.5, ry: 3.6, fill: '#120e0d', opacity: 0.7 }) +
    tag('ellipse', { cx: nose[0] + 13, cy: nose[1] - 4, rx: 4, ry: 3, fill: '#120e0d', opacity: 0.6 }) +
    eye(at, spec.r, spec.iris, spec.rim)
  )
}
