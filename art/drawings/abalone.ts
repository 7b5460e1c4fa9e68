import { away, closed, mix, type Point } from './geometry.ts'
import { near } from './light.ts'
import type { Random } from './random.ts'
import { blob, mirrored, raised, surface } from './solid.ts'
import { inside, path, radial, tag } from './svg.ts'

const earShape: readonly Point[] = [
  [-230, 20],
  [-190, -84],
  [-80, -142],
  [70, -146],
  [190, -90],
  [236, 10],
  [190, 104],
  [70, 150],
  [-80, 142],
  [-190, 100],
]

/** A blacklip abalone's shell from outside, ridged, with its row of holes. */
export function abaloneBack(): string {
  const d = blob(earShape)
  const folds = Array.from({ length: 11 }, (_, index) =>
    blob(
      earShape.map(([x, y]): Point => [mix(150, x, 0.12 + index * 0.085), mix(40, y, 0.12 + index * 0.085)]),
    ),
  )
  const holes = Array.from({ length: 7 }, (_, index) =>
    tag('ellipse', {
      cx: -170 + index * 50,
      cy: 96 - Math.sin(index / 3) * 10 + index * 4,
      rx: 6 + index,
      ry: 5 + index * 0.6,
      fill: '#1a0f0c',
      stroke: '#e9c0a5',
      'stroke-width': 3,
    }),
  )
  return raised(
    26,
    18,
    surface(d, { fill: '#8a4434', dark: '#2b110c', light: '#e0a58a', strength: 0.55 }),
    inside(
      d,
      path(folds.join(''), {
        fill: 'none',
        stroke: '#3c1610',
        'stroke-width': 9,
        opacity: 0.5,
        filter: near(3),
      }),
      path(folds.join(''), {
        fill: 'none',
        stroke: '#f2c4aa',
        'stroke-width': 4,
        opacity: 0.4,
        filter: near(2),
        transform: 'translate(-4 -5)',
      }),
    ),
    ...holes,
  )
}

/** The same shell turned over: the foot with its black lip in mother-of-pearl. */
export function abaloneFoot(random: Random): string {
  const d = blob(earShape)
  const foot = blob(
    mirrored([
      [0, -96],
      [90, -92],
      [160, -40],
      [166, 30],
      [100, 88],
      [0, 98],
    ]),
  )
  const inner = blob(
    mirrored([
      [0, -74],
      [80, -70],
      [136, -28],
      [138, 24],
      [84, 66],
      [0, 74],
    ]),
  )
  const frill = Array.from({ length: 60 }, (_, index): Point => {
    const [x, y] = away([0, 0], index * 6, 1)
    return [x * (188 + (index % 2) * 14 + random() * 6), y * (112 + (index % 2) * 10)]
  })
  const [pearl, fill] = radial(-60, -60, 330, [
    [0, '#ffffff'],
    [0.35, '#cfe9e4'],
    [0.55, '#f3cfe2'],
    [0.75, '#a9d3d9'],
    [1, '#e9d9b5'],
  ])
  return (
    pearl +
    raised(7, 18, path(d, { fill, stroke: '#6d3a2c', 'stroke-width': 12 })) +
    raised(4, 6, path(closed(frill), { fill: '#1c191b' })) +
    raised(26, 4, surface(foot, { fill: '#d9c2a0', dark: '#6d5236', strength: 0.35 })) +
    raised(17, 0, surface(inner, { fill: '#ecdcbf', dark: '#b08f64', strength: 0.3, grain: 'streak' })) +
    tag('ellipse', {
      cx: -50,
      cy: -30,
      rx: 50,
      ry: 12,
      fill: '#fff',
      opacity: 0.7,
      filter: near(3),
      transform: 'rotate(-14 -50 -30)',
    })
  )
}
