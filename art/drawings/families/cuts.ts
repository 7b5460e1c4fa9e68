import { cutlet, filletFlesh, filletSkin } from '../cuts.ts'
import { flatheadFlesh, kingfishFlesh, mackerelFlesh, mullowayFlesh, salmonFlesh, tunaFlesh, whiteFlesh } from '../flesh.ts'
import { lemon, sprig } from '../garnish.ts'
import type { Point } from '../geometry.ts'
import { laid } from '../layouts.ts'
import { near } from '../light.ts'
import type { Pictures } from '../pictures.ts'
import { nest, place } from '../place.ts'
import { between, type Random } from '../random.ts'
import { block, squidRing } from '../slab.ts'
import { blob, raised, surface } from '../solid.ts'
import { tag } from '../svg.ts'

const blueDots = (random: Random): string =>
  Array.from({ length: 44 }, () =>
    tag('circle', {
      cx: between(random, 60, 760),
      cy: between(random, -100, 20),
      r: between(random, 3, 5.5),
      fill: '#2f9df0',
    }),
  ).join('')

const front = (random: Random, from: number, to: number, y: number): string =>
  nest(
    random,
    Array.from(
      { length: 10 },
      (_, step): Point => [from + ((to - from) * step) / 9, y + between(random, -10, 10)],
    ),
    26,
  )

const slices = (random: Random): string =>
  laid(
    Array.from({ length: 7 }, (_, index) => [390 + index * 96, 690 - index * 5, 1, -8] as const),
    () => block(kingfishFlesh, random, 128, 150, 16),
  )

/** A cleaned calamari tube, its open end to the right. */
function tube(): string {
  const d = blob([
    [0, 0],
    [60, -56],
    [260, -104],
    [520, -112],
    [620, -100],
    [646, 0],
    [620, 100],
    [520, 112],
    [260, 104],
    [60, 56],
  ])
  return (
    raised(26, 18, surface(d, { fill: '#fbf4ee', dark: '#dcb8aa', strength: 0.25, grain: 'cloud' })) +
    tag('ellipse', {
      cx: 622,
      cy: 0,
      rx: 26,
      ry: 92,
      fill: '#fffaf6',
      stroke: '#e2cfc6',
      'stroke-width': 4,
    }) +
    tag('ellipse', { cx: 626, cy: 2, rx: 16, ry: 74, fill: '#b9988c', opacity: 0.8, filter: near(3) }) +
    tag('ellipse', { cx: 300, cy: -52, rx: 190, ry: 9, fill: '#fff', opacity: 0.9, filter: near(3) })
  )
}

/** Cut fish and calamari: the second pictures of their products. */
export const cutPictures: Pictures = {
  'snapper-2': (random) =>
    place(filletSkin(whiteFlesh, 1.12, blueDots(random)), [300, 430], 1.02, -4) +
    place(filletFlesh(whiteFlesh, 1.12), [330, 700], 1.06, 2) +
    front(random, 420, 1150, 816),
  'dusky-flathead-2': (random) =>
    place(filletFlesh(flatheadFlesh, 0.72), [260, 430], 1.12, -3) +
    place(filletFlesh(flatheadFlesh, 0.72), [300, 660], 1.14, 3) +
    place(sprig(), [1060, 820], 0.9, -12) +
    front(random, 400, 1000, 770),
  'mulloway-2': (random) =>
    place(cutlet(mullowayFlesh), [500, 560], 1.4, -14) +
    place(cutlet(mullowayFlesh), [970, 600], 1.5, 12) +
    front(random, 380, 1160, 850) +
    place(sprig(), [640, 800], 0.9, -8),
  'spanish-mackerel-2': (random) =>
    place(cutlet(mackerelFlesh), [430, 470], 1.15, -18) +
    place(cutlet(mackerelFlesh), [1010, 450], 1.1, 20) +
    front(random, 380, 1160, 800) +
    place(cutlet(mackerelFlesh), [720, 690], 1.25, 4) +
    place(lemon(), [1130, 790], 0.8, 15),
  'yellowtail-kingfish-2': (random) =>
    place(filletFlesh(kingfishFlesh, 0.86), [300, 430], 1.05, -3) +
    slices(random) +
    place(lemon(), [1200, 690], 0.8, 15),
  'yellowfin-tuna-2': (random) =>
    laid(
      [
        [360, 380, 1, -6],
        [800, 400, 1, 5],
        [520, 620, 1.12, -2],
      ],
      () => block(tunaFlesh, random, 360, 190, 62),
    ) + place(sprig(), [980, 790], 0.9, -16),
  'atlantic-salmon-2': (random) =>
    laid(
      [
        [320, 420, 1, -4],
        [800, 520, 1.08, 4],
      ],
      () => block(salmonFlesh, random, 400, 230, 66),
    ) +
    place(lemon(), [640, 810], 0.8, 10) +
    place(sprig(), [760, 830], 0.8, -10),
  'southern-calamari-2': () =>
    place(tube(), [330, 430], 1.1, -6) +
    laid(
      [
        [430, 660, 1, 0],
        [620, 610, 0.9, 20],
        [800, 690, 1.05, -10],
        [990, 630, 0.95, 14],
        [1150, 720, 1, 0],
        [660, 790, 1, 8],
        [920, 820, 0.92, -14],
      ],
      () => squidRing(96),
    ),
}
