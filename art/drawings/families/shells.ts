import { abaloneBack, abaloneFoot } from '../abalone.ts'
import { lemon, plate, sprig } from '../garnish.ts'
import { mix, type Point } from '../geometry.ts'
import { heap, laid, type Spot } from '../layouts.ts'
import { near } from '../light.ts'
import { oyster, pacific, sydneyRock } from '../oyster.ts'
import type { Pictures } from '../pictures.ts'
import { nest, place } from '../place.ts'
import { between, type Random } from '../random.ts'
import { scallop } from '../scallop.ts'
import { cockleShape, musselShape, pipiShape, shell } from '../shell.ts'
import { blob, raised, surface } from '../solid.ts'
import { inside, path, tag } from '../svg.ts'

const round = (count: number, rx: number, ry: number, scale: number, start = 0): Spot[] =>
  Array.from({ length: count }, (_, index): Spot => {
    const angle = start + (index / count) * Math.PI * 2
    return [
      750 + Math.cos(angle) * rx,
      590 + Math.sin(angle) * ry,
      scale * mix(0.9, 1.06, (Math.sin(angle) + 1) / 2),
      (angle * 180) / Math.PI - 90,
    ]
  }).sort((a, b) => a[1] - b[1])

const icePlate = (random: Random): string => {
  const places = Array.from({ length: 320 }, (): Point => {
    const [angle, reach] = [random() * 6.283, Math.sqrt(random())]
    return [750 + Math.cos(angle) * 520 * reach, 590 + Math.sin(angle) * 336 * reach]
  })
  return (
    place(plate(640), [750, 590], 1) +
    nest(
      random,
      places.sort((a, b) => a[1] - b[1]),
      24,
    )
  )
}

const pick = <T>(random: Random, list: readonly T[], fallback: T): T =>
  list[Math.floor(random() * list.length)] ?? fallback

const mussel = (random: Random): string =>
  shell(musselShape, {
    fill: pick(random, ['#1b2438', '#222c44', '#16202c', '#2a2a44'], '#1b2438'),
    umbo: '#7d6a86',
    line: '#6d84a8',
    lines: 9,
    gloss: 0.75,
  })

const pipiTones = ['#e6d2a8', '#d8bb8a', '#c9a07a', '#b48aa0', '#ecdfc4', '#cfb49c']

const pipi = (random: Random): string =>
  shell(pipiShape, {
    fill: pick(random, pipiTones, '#e6d2a8'),
    umbo: '#f6ead0',
    line: '#8a6a4c',
    lines: 9,
    gloss: 0.7,
    band: '#9a7688',
  })

const cockle = (random: Random): string =>
  shell(cockleShape, {
    fill: pick(random, ['#d9c6a0', '#c9ab80', '#a88f74', '#e6d9bd', '#8f7f70'], '#d9c6a0'),
    umbo: '#f2e6cc',
    line: '#6d5840',
    lines: 13,
    ribs: 20,
    gloss: 0.4,
  })

/** An opened mussel: orange meat between two blue halves. */
function openMussel(random: Random): string {
  const lower = shell(
    musselShape,
    { fill: '#24304a', umbo: '#6d6a86', line: '#4d648a', lines: 4, gloss: 0 },
    7,
  )
  const pearl = blob(musselShape.map(([x, y]): Point => [x * 0.88, y * 0.9]))
  const meat = blob([
    [0, 88],
    [-28, 40],
    [-34, -20],
    [-18, -74],
    [16, -78],
    [36, -30],
    [30, 30],
    [14, 76],
  ])
  const frill = Array.from(
    { length: 9 },
    (_, index): Point => [30 + Math.sin(index * 2.4) * 7, -66 + index * 16],
  )
  return (
    lower +
    raised(
      4,
      0,
      path(pearl, { fill: '#cfd6de' }),
      inside(
        pearl,
        tag('ellipse', { cx: 20, cy: -60, rx: 50, ry: 40, fill: '#4a5c86', opacity: 0.7, filter: near(12) }),
      ),
    ) +
    raised(
      11,
      6,
      surface(meat, {
        fill: pick(random, ['#f09a3e', '#f2ad5c', '#e8893a'], '#f09a3e'),
        dark: '#a8501a',
        strength: 0.3,
      }),
    ) +
    path(blob([...frill, [16, 60], [20, -40]]), { fill: '#3a2418', opacity: 0.75 }) +
    tag('ellipse', { cx: -12, cy: -30, rx: 7, ry: 24, fill: '#fff', opacity: 0.75, filter: near(2) })
  )
}

/** Opened oysters. */
export const oysterPictures: Pictures = {
  'sydney-rock-oyster': (random) =>
    icePlate(random) +
    laid(round(12, 440, 262, 1.08), () => oyster(sydneyRock, random)) +
    place(lemon(), [690, 560], 0.95, 20) +
    place(lemon(), [820, 610], 0.95, -30) +
    place(sprig(), [690, 690], 0.8, -20),
  'sydney-rock-oyster-2': (random) =>
    place(oyster(sydneyRock, random), [720, 590], 3.3, -58) +
    nest(
      random,
      Array.from({ length: 12 }, (_, step) => [420 + step * 62, 860 + Math.sin(step * 0.3) * 16] as const),
      34,
    ),
  'pacific-oyster': (random) =>
    laid(
      [
        [430, 430, 1.5, -70],
        [780, 410, 1.5, -84],
        [1130, 430, 1.5, -64],
        [360, 700, 1.65, -80],
        [760, 700, 1.65, -66],
        [1150, 710, 1.65, -82],
      ],
      () => oyster(pacific, random),
    ) + place(lemon(), [950, 560], 0.8, 20),
}

/** Mussels and other shells. */
export const shellPictures: Pictures = {
  'blue-mussel': (random) => heap(random, 34, 1.05, mussel),
  'blue-mussel-2': (random) =>
    laid(round(9, 400, 220, 1.5, 0.3), () => openMussel(random)) +
    laid(
      [
        [690, 560, 1.5, -30],
        [850, 610, 1.5, 40],
      ],
      () => openMussel(random),
    ) +
    place(sprig(), [640, 640], 0.9, -10),
  pipi: (random) => heap(random, 44, 0.92, pipi),
  vongole: (random) => heap(random, 46, 0.92, cockle),
  scallop: (random) =>
    laid(
      [
        [420, 420, 1.3, -12],
        [760, 400, 1.3, 6],
        [1100, 430, 1.3, 16],
        [330, 690, 1.45, -8],
        [740, 690, 1.45, 4],
        [1150, 700, 1.45, 12],
      ],
      () => scallop(random),
    ),
  'blacklip-abalone': (random) =>
    place(abaloneBack(), [500, 480], 1.3, -12) +
    place(abaloneFoot(random), [1000, 660], 1.36, 8) +
    nest(
      random,
      Array.from({ length: 8 }, (_, step) => [720 + step * 80, between(random, 880, 900)] as const),
      28,
    ),
}
