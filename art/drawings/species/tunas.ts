import type { Species } from '../fish.ts'
import type { Outline } from '../fish-body.ts'
import { along, type Body, strip } from '../fish-body.ts'
import { blur, near } from '../light.ts'
import { path } from '../svg.ts'

const outline = (plump: number): Outline => ({
  top: [
    [0, 0],
    [0.012, 0.022],
    [0.06, 0.062],
    [0.13, 0.1],
    [0.23, 0.134],
    [0.35, 0.15],
    [0.47, 0.146],
    [0.6, 0.12],
    [0.74, 0.078],
    [0.86, 0.036],
    [0.94, 0.016],
    [1, 0.014],
  ].map(([u = 0, h = 0]) => [u, h * plump]),
  bottom: [
    [0, 0],
    [0.014, 0.02],
    [0.06, 0.056],
    [0.14, 0.096],
    [0.25, 0.128],
    [0.37, 0.142],
    [0.49, 0.136],
    [0.62, 0.108],
    [0.75, 0.068],
    [0.86, 0.034],
    [0.94, 0.016],
    [1, 0.014],
  ].map(([u = 0, h = 0]) => [u, h * plump]),
})

function finlets(body: Body, fill: string): string {
  return Array.from({ length: 9 }, (_, step) => {
    const u = 0.64 + step * 0.037
    const [x, y] = body.at(u, 0.02)
    const [lowX, lowY] = body.at(u + 0.02, 0.98)
    const size = 20 - step
    return (
      path(`M${x - 4} ${y + 4}q4 ${-size} ${size + 9} ${-size * 1.1}q-6 ${size * 0.6} -4 ${size + 1}z`, {
        fill,
        stroke: '#3a3416',
        'stroke-width': 1.5,
      }) +
      path(
        `M${lowX - 4} ${lowY - 4}q4 ${size} ${size + 9} ${size * 1.1}q-6 ${-size * 0.6} -4 ${-size - 1}z`,
        { fill, stroke: '#3a3416', 'stroke-width': 1.5 },
      )
    )
  }).join('')
}

function keel(body: Body): string {
  return (
    path(strip(body, 0.3, 0.7, 0.9, 1), { fill: '#0f2230', opacity: 0.75, filter: blur(5) }) +
    path(along(body, 0.44, 0.9, 0.99), {
      fill: 'none',
      stroke: '#cfe1ea',
      'stroke-width': 4,
      opacity: 0.8,
      filter: near(2),
    })
  )
}

const goldLine = (body: Body): string =>
  path(strip(body, 0.32, 0.42, 0.1, 0.98), { fill: '#d8b84a', opacity: 0.6, filter: blur(12) }) +
  path(strip(body, 0.26, 0.33, 0.1, 0.98), { fill: '#2f8ec2', opacity: 0.7, filter: blur(8) }) +
  Array.from({ length: 15 }, (_, step) =>
    path(strip(body, 0.6, 0.94, 0.36 + step * 0.036, 0.366 + step * 0.036), {
      fill: '#fff',
      opacity: 0.4,
      filter: near(3),
    }),
  ).join('') +
  keel(body)

const yellow = { root: '#b8992a', edge: '#f2d246', ray: '#6d5a12', opacity: 0.95 }
const dark = { root: '#2c3d4a', edge: '#4e6170', ray: '#121c24', opacity: 0.95 }

const silver: Species['bands'] = [
  { v0: -0.1, v1: 0.27, color: '#0b2038', soft: 12 },
  { v0: 0.22, v1: 0.34, color: '#1d4f7c', soft: 12 },
  { v0: 0.46, v1: 0.66, color: '#b3bfc6', soft: 18 },
  { v0: 0.72, v1: 1.1, color: '#f4f6f4', soft: 18 },
]

const tuna: Omit<Species, 'outline' | 'back' | 'belly' | 'pectoral'> = {
  base: '#c4ced3',
  bands: silver,
  marks: goldLine,
  scales: { rows: 52, from: 0.3, strength: 0.28 },
  sheen: '#dff1ff',
  tint: '#0c1c2c',
  head: {
    gill: 0.27,
    mouth: [
      [0.002, 0.52],
      [0.03, 0.58],
      [0.065, 0.66],
      [0.09, 0.72],
    ],
    eye: { u: 0.115, v: 0.42, r: 18, iris: '#c7cbb9' },
    jaw: [
      [0.02, 0.96],
      [0.09, 0.9],
      [0.16, 0.9],
    ],
    cheek: '#dfe4e4',
  },
  tail: { ...dark, length: 170, spread: 235, fork: 0.78, rays: 26 },
  pelvic: {
    root: '#8b8a4c',
    edge: '#d6c862',
    ray: '#45431c',
    u: 0.31,
    v: 0.97,
    angle: 40,
    length: 110,
    fan: 30,
    point: 0.2,
  },
  over: (body) => finlets(body, '#f0d046'),
}

/** Yellowfin tuna, Thunnus albacares: dark blue over gold and silver, long yellow sickles. */
export const yellowfinTuna: Species = {
  ...tuna,
  outline: outline(0.98),
  back: [
    {
      ...dark,
      root: '#55643c',
      edge: '#a8a04a',
      from: 0.29,
      to: 0.5,
      heights: [70, 84, 70, 54, 42, 32, 20],
      lean: 42,
      rays: 13,
      spines: 13,
    },
    { ...yellow, from: 0.53, to: 0.61, heights: [150, 205, 120, 62, 34, 22], lean: 46, rays: 14 },
  ],
  belly: [{ ...yellow, from: 0.57, to: 0.65, heights: [150, 210, 120, 60, 34, 22], lean: 46, rays: 14 }],
  pectoral: {
    ...dark,
    root: '#3d4a42',
    edge: '#8c8a44',
    u: 0.285,
    v: 0.5,
    angle: 9,
    length: 270,
    fan: 18,
    point: 0.12,
  },
  tail: { ...dark, root: '#4a5136', edge: '#b7a648', length: 170, spread: 235, fork: 0.78, rays: 26 },
}

/** Bigeye tuna, Thunnus obesus: stouter, large eye, short sickles. */
export const bigeyeTuna: Species = {
  ...tuna,
  outline: outline(1.2),
  bands: [{ v0: -0.1, v1: 0.32, color: '#0a1a33', soft: 12 }, ...silver.slice(1)],
  marks: keel,
  head: { ...tuna.head, eye: { u: 0.125, v: 0.43, r: 31, iris: '#cdbb7a' } },
  back: [
    {
      ...dark,
      root: '#434f3a',
      edge: '#8f8d49',
      from: 0.29,
      to: 0.5,
      heights: [74, 88, 74, 56, 44, 34, 20],
      lean: 42,
      rays: 13,
      spines: 13,
    },
    {
      ...dark,
      root: '#46512f',
      edge: '#97934a',
      from: 0.53,
      to: 0.62,
      heights: [84, 112, 80, 46, 30, 22],
      lean: 46,
      rays: 14,
    },
  ],
  belly: [
    {
      ...dark,
      root: '#6b6f48',
      edge: '#b4ad58',
      from: 0.57,
      to: 0.66,
      heights: [84, 112, 80, 46, 30, 22],
      lean: 46,
      rays: 14,
    },
  ],
  pectoral: { ...dark, u: 0.285, v: 0.5, angle: 8, length: 300, fan: 18, point: 0.12 },
}

/** Albacore, Thunnus alalunga: small tuna, side fin far past the second back fin, white edge on the tail. */
export const albacore: Species = {
  ...tuna,
  outline: outline(1.06),
  marks: keel,
  head: { ...tuna.head, eye: { u: 0.12, v: 0.43, r: 24, iris: '#c9c8b4' } },
  tail: { ...dark, length: 160, spread: 205, fork: 0.74, rays: 26, tipLine: '#ffffff' },
  back: [
    { ...dark, from: 0.29, to: 0.5, heights: [66, 78, 66, 52, 40, 30, 18], lean: 42, rays: 13, spines: 13 },
    {
      ...dark,
      root: '#5d6247',
      edge: '#a8a161',
      from: 0.53,
      to: 0.61,
      heights: [70, 94, 66, 42, 28, 20],
      lean: 46,
      rays: 14,
    },
  ],
  belly: [
    {
      ...dark,
      root: '#7b8388',
      edge: '#b9c1c4',
      from: 0.57,
      to: 0.65,
      heights: [70, 94, 66, 42, 28, 20],
      lean: 46,
      rays: 14,
    },
  ],
  pectoral: { ...dark, u: 0.285, v: 0.5, angle: 6, length: 440, fan: 13, point: 0.1 },
}
