import { iceField } from './ice.ts'
import { near } from './light.ts'
import { between, type Random, randomFrom } from './random.ts'
import { sheet } from './scene.ts'
import { group, inside, linear, path, restartIds, tag } from './svg.ts'

/**
 * What a thing lies on: whole fish and oysters on crushed ice, what was cut or cooked and small shells on an oak board,
 * prawns, crabs and squid on paper on the marble counter.
 */
export const groundKinds = ['ice', 'board', 'counter'] as const
export type Ground = (typeof groundKinds)[number]

const whole = { x: -20, y: -20, width: 1540, height: 1040 }

function slate(): string {
  const [depth, slateFill] = linear(0, 0, 0, 1000, [
    [0, '#0f1a21'],
    [0.3, '#1d2d36'],
    [1, '#182630'],
  ])
  return (
    depth +
    tag('rect', { ...whole, fill: slateFill }) +
    tag('rect', { ...whole, fill: '#7f9aa6', filter: 'url(#streak)', opacity: 0.13 }) +
    tag('rect', { ...whole, fill: '#000', filter: 'url(#cloud)', opacity: 0.3 })
  )
}

/** A heap of crushed ice on slate. */
function ice(random: Random): string {
  const wave = random() * 6
  const edge = (x: number) => 212 + Math.sin(x / 170 + wave) * 13 + Math.sin(x / 61 + wave * 2) * 7
  const [bed, bedFill] = linear(0, 180, 0, 1000, [
    [0, '#8fb0bd'],
    [0.35, '#b9d1db'],
    [1, '#c9dde5'],
  ])
  const heap = Array.from(
    { length: 32 },
    (_, step) => `L${step * 50 - 20} ${edge(step * 50 - 20).toFixed(0)}`,
  ).join('')
  const outline = `M-20 1020${heap}L1540 1020Z`
  return (
    slate() +
    path(outline, { fill: '#02080c', opacity: 0.6, filter: near(18), transform: 'translate(0 -8)' }) +
    bed +
    path(outline, { fill: bedFill, filter: near(3) }) +
    iceField(random, 205, 1040, edge) +
    path(outline, { fill: '#2f6076', filter: 'url(#cloud)', opacity: 0.28 })
  )
}

/** An oak board of five staves on slate, worn by knives, its front edge in shade. */
function board(random: Random): string {
  const outline =
    'M96 236Q100 196 142 196H1358Q1400 196 1404 236L1446 884Q1450 934 1400 934H100Q50 934 54 884Z'
  const edge = 'M52 884Q50 934 100 934H1400Q1450 934 1448 884V922Q1446 968 1398 968H102Q54 968 52 922Z'
  const tones = ['#c2915a', '#b98550', '#c99a65', '#b78149', '#c6955f']
  const staves = tones.map((tone, row) => {
    const y = 190 + row * 150
    const rings = Array.from({ length: 9 }, () => {
      const at = y + between(random, 8, 142)
      const bow = between(random, -16, 16)
      return `M30 ${at}C420 ${at + bow} 960 ${at - bow} 1480 ${at + between(random, -7, 7)}`
    })
    return (
      tag('rect', { x: 30, y, width: 1440, height: 150, fill: tone }) +
      path(rings.join(''), {
        fill: 'none',
        stroke: '#6e431c',
        'stroke-width': 3,
        opacity: 0.28,
        filter: near(1),
      }) +
      path(`M30 ${y}H1470`, { fill: 'none', stroke: '#5b3615', 'stroke-width': 3, opacity: 0.55 })
    )
  })
  const cuts = Array.from({ length: 34 }, () => {
    const [x, y, long] = [between(random, 180, 1300), between(random, 260, 880), between(random, 30, 150)]
    return `M${x} ${y}l${long} ${between(random, -40, 40)}`
  })
  const [light, lightFill] = linear(0, 190, 0, 940, [
    [0, '#2a1505', 0.34],
    [0.25, '#2a1505', 0],
    [1, '#fff0d8', 0.12],
  ])
  const [dark, darkFill] = linear(0, 884, 0, 968, [
    [0, '#8a5b2d'],
    [1, '#3d2309'],
  ])
  return (
    slate() +
    path(outline, { fill: '#000', opacity: 0.65, filter: near(26), transform: 'translate(14 46)' }) +
    dark +
    path(edge, { fill: darkFill }) +
    light +
    inside(
      outline,
      ...staves,
      tag('rect', { ...whole, fill: '#5a3412', filter: 'url(#wood)', opacity: 0.5 }),
      tag('rect', { ...whole, fill: '#fff3dc', filter: 'url(#cloud)', opacity: 0.14 }),
      path(cuts.join(''), {
        fill: 'none',
        stroke: '#4a2c12',
        'stroke-width': 2,
        opacity: 0.26,
        'stroke-linecap': 'round',
      }),
      path(cuts.join(''), {
        fill: 'none',
        stroke: '#ffe9c6',
        'stroke-width': 1.5,
        opacity: 0.3,
        transform: 'translate(0 2.5)',
      }),
      path(outline, { fill: lightFill }),
    ) +
    path('M100 912H1400', {
      fill: 'none',
      stroke: '#ffe2b4',
      'stroke-width': 4,
      opacity: 0.35,
      filter: near(2),
    })
  )
}

/** Rows of glazed tiles above the counter. */
function tiles(random: Random): string {
  const rows = Array.from({ length: 4 }, (_, row) =>
    Array.from({ length: 12 }, (_, column) => {
      const [x, y] = [column * 148 - (row % 2) * 74 - 40, row * 72 - 70]
      const tone = ['#1d4a55', '#21525d', '#1a434e', '#255a64'][Math.floor(random() * 4)] ?? '#1d4a55'
      return (
        tag('rect', { x, y, width: 142, height: 66, rx: 5, fill: tone }) +
        path(`M${x + 8} ${y + 7}H${x + 134}`, {
          fill: 'none',
          stroke: '#bfe3e6',
          'stroke-width': 4,
          opacity: 0.28,
          'stroke-linecap': 'round',
          filter: near(1),
        })
      )
    }).join(''),
  )
  return tag('rect', { ...whole, fill: '#0d262d' }) + rows.join('')
}

/** A counter of pale marble before glazed tiles, with a sheet of paper to lay things on. */
function counter(random: Random): string {
  const [stone, stoneFill] = linear(0, 214, 0, 1000, [
    [0, '#9fb0b3'],
    [0.3, '#c8d3d3'],
    [1, '#dde4e2'],
  ])
  const veins = Array.from({ length: 9 }, () => {
    const [x, y] = [between(random, -200, 1500), between(random, 230, 960)]
    const [run, fall] = [between(random, 260, 620), between(random, 40, 200)]
    return `M${x} ${y}q${run * 0.4} ${fall * 0.1} ${run * 0.5} ${fall * 0.5}t${run * 0.5} ${fall * 0.5}`
  })
  const paper = 'M86 306L1410 274L1462 950L44 968Z'
  const [cream, creamFill] = linear(120, 300, 1400, 920, [
    [0, '#efe6d2'],
    [0.5, '#f6efdf'],
    [1, '#ded2b8'],
  ])
  return (
    tiles(random) +
    stone +
    tag('rect', { x: -20, y: 214, width: 1540, height: 800, fill: stoneFill }) +
    path(veins.join(''), {
      fill: 'none',
      stroke: '#6d7f86',
      'stroke-width': 12,
      opacity: 0.34,
      filter: near(5),
    }) +
    path(veins.join(''), {
      fill: 'none',
      stroke: '#54666e',
      'stroke-width': 3,
      opacity: 0.55,
      filter: near(1),
    }) +
    tag('rect', {
      x: -20,
      y: 214,
      width: 1540,
      height: 800,
      fill: '#7b8d92',
      filter: 'url(#cloud)',
      opacity: 0.32,
    }) +
    tag('rect', {
      x: -20,
      y: 190,
      width: 1540,
      height: 60,
      fill: '#04141a',
      opacity: 0.5,
      filter: near(18),
    }) +
    cream +
    path(paper, { fill: '#0a1a1f', opacity: 0.5, filter: near(12), transform: 'translate(10 16)' }) +
    path(paper, { fill: creamFill }) +
    group(
      {},
      inside(
        paper,
        tag('rect', { ...whole, fill: '#a08a5e', filter: 'url(#speckle)', opacity: 0.1 }),
        path('M520 280L462 970M980 280L1012 970', {
          fill: 'none',
          stroke: '#b3a37f',
          'stroke-width': 6,
          opacity: 0.5,
          filter: near(3),
        }),
        path('M526 280L468 970M986 280L1018 970', {
          fill: 'none',
          stroke: '#fffdf4',
          'stroke-width': 4,
          opacity: 0.8,
          filter: near(2),
        }),
      ),
    )
  )
}

const grounds: Record<Ground, (random: Random) => string> = { ice, board, counter }

/** The empty ground, 1500×1000. The same seed gives the same one. */
export function ground(kind: Ground, seed: string): string {
  restartIds()
  return sheet(grounds[kind](randomFrom(seed)))
}
