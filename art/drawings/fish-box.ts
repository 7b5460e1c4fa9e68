import { fish } from './fish.ts'
import { closed, type Point } from './geometry.ts'
import { near } from './light.ts'
import { nest, place } from './place.ts'
import type { Random } from './random.ts'
import { raised } from './solid.ts'
import { snapper } from './species/breams.ts'
import { group, inside, linear, path, tag } from './svg.ts'

/** A logger on the rim: a small sealed case with a lamp and a temperature line. */
function logger(): string {
  return (
    raised(7, 12, tag('rect', { x: 0, y: 0, width: 170, height: 112, rx: 22, fill: '#20323b' })) +
    tag('rect', { x: 18, y: 18, width: 134, height: 58, rx: 9, fill: '#d8efe8' }) +
    path('M26 58L44 52L62 55L80 44L98 50L116 46L144 49', {
      fill: 'none',
      stroke: '#0f766e',
      'stroke-width': 5,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    }) +
    tag('circle', { cx: 34, cy: 94, r: 7, fill: '#5fe3b0' }) +
    tag('circle', { cx: 34, cy: 94, r: 16, fill: '#5fe3b0', opacity: 0.5, filter: near(5) }) +
    path('M112 94q10 -10 20 0M104 88q18 -20 36 0', {
      fill: 'none',
      stroke: '#9fd8cf',
      'stroke-width': 4,
      'stroke-linecap': 'round',
    })
  )
}

/** The dotted way the box has come, from a pin. */
const route = (): string =>
  path('M160 330C330 120 520 260 690 150S1080 60 1330 170', {
    fill: 'none',
    stroke: '#ef6a4b',
    'stroke-width': 11,
    'stroke-dasharray': '2 26',
    'stroke-linecap': 'round',
    opacity: 0.95,
  }) +
  group(
    { transform: 'translate(1330 170)' },
    path('M0 0C-46 -52 -52 -76 -52 -98a52 52 0 0 1 104 0C52 -76 46 -52 0 0Z', { fill: '#ef6a4b' }),
    tag('circle', { cy: -98, r: 20, fill: '#fff6ea' }),
  ) +
  tag('circle', { cx: 160, cy: 330, r: 17, fill: '#ef6a4b', stroke: '#fff6ea', 'stroke-width': 6 })

/** An open fish box full of ice with a snapper in it, and the way it has come. */
export function fishBox(random: Random, withRoute = true): string {
  const rim: readonly Point[] = [
    [190, 420],
    [1310, 420],
    [1410, 760],
    [90, 760],
  ]
  const inner: readonly Point[] = [
    [235, 448],
    [1265, 448],
    [1345, 722],
    [155, 722],
  ]
  const [wall, wallFill] = linear(0, 760, 0, 960, [
    [0, '#1f7f86'],
    [1, '#0d4a52'],
  ])
  const mouth = closed(inner)
  const ice = Array.from({ length: 150 }, (): Point => [170 + random() * 1160, 470 + random() * 260]).sort(
    (a, b) => a[1] - b[1],
  )
  const ribs = [260, 500, 740, 980, 1220].map((x) =>
    tag('rect', { x, y: 790, width: 26, height: 150, rx: 10, fill: '#0a3f47', opacity: 0.55 }),
  )
  return (
    (withRoute ? route() : '') +
    wall +
    raised(11, 10, path(closed(rim), { fill: '#2aa1a3' })) +
    path(mouth, { fill: '#0a3037' }) +
    inside(
      mouth,
      tag('rect', { x: 120, y: 470, width: 1260, height: 260, fill: '#b9d5de' }),
      nest(random, ice, 30),
    ) +
    place(fish(snapper, random), [330, 620], 0.66, -4) +
    inside(
      mouth,
      nest(
        random,
        Array.from({ length: 22 }, (_, step): Point => [180 + step * 54, 706]),
        30,
      ),
    ) +
    raised(
      11,
      26,
      path(
        closed([
          [90, 760],
          [1410, 760],
          [1350, 960],
          [150, 960],
        ]),
        { fill: wallFill },
      ),
      ...ribs,
    ) +
    tag('rect', { x: 610, y: 826, width: 280, height: 54, rx: 27, fill: '#062c33', opacity: 0.75 }) +
    path(
      closed([
        [90, 760],
        [155, 722],
        [1345, 722],
        [1410, 760],
      ]),
      { fill: '#3bb8b5' },
    ) +
    path('M110 756L1390 756', { stroke: '#b5f2ec', 'stroke-width': 5, opacity: 0.7, filter: near(1) }) +
    place(logger(), [1060, 690], 1.1, 0)
  )
}
