import type { Species } from '../fish.ts'
import { across, type Body, strip } from '../fish-body.ts'
import { blur, near } from '../light.ts'
import { path, tag } from '../svg.ts'

const lemon = { root: '#cfae3c', edge: '#efe08a', ray: '#7d6a1e', opacity: 0.75 }
const glassy = { root: '#a9a587', edge: '#dcd9c2', ray: '#5a583f', opacity: 0.6 }

function flank(body: Body): string {
  const [x, y] = body.at(0.27, 0.56)
  return (
    path(strip(body, 0.48, 0.58, 0.25, 1), { fill: '#f7f4e2', opacity: 0.85, filter: blur(5) }) +
    tag('ellipse', { cx: x, cy: y, rx: 13, ry: 13, fill: '#20252a', opacity: 0.65, filter: near(3) })
  )
}

/** Sand whiting, Sillago ciliata: slender, small mouth under a long snout, sand and silver, yellow lower fins. */
export const sandWhiting: Species = {
  outline: {
    top: [
      [0, -0.008],
      [0.012, 0.012],
      [0.06, 0.04],
      [0.14, 0.076],
      [0.24, 0.104],
      [0.34, 0.112],
      [0.48, 0.1],
      [0.64, 0.076],
      [0.8, 0.05],
      [0.92, 0.036],
      [1, 0.036],
    ],
    bottom: [
      [0, -0.008],
      [0.014, 0.026],
      [0.06, 0.044],
      [0.14, 0.064],
      [0.24, 0.08],
      [0.36, 0.088],
      [0.5, 0.084],
      [0.64, 0.068],
      [0.8, 0.046],
      [0.92, 0.034],
      [1, 0.034],
    ].map(([u = 0, h = 0]) => [u, u === 0 ? 0.008 : h]),
  },
  base: '#d8d6c6',
  bands: [
    { v0: -0.1, v1: 0.34, color: '#8f8360', soft: 18 },
    { v0: 0.3, v1: 0.48, color: '#c0b894', soft: 12 },
    { v0: 0.66, v1: 1.1, color: '#fbfaf4', soft: 12 },
  ],
  marks: flank,
  scales: { rows: 17, from: 0.27, strength: 0.8 },
  sheen: '#fff6dc',
  tint: '#4a4026',
  plump: 17,
  lateral: { v: [0.4, 0.48], color: '#7a7050', opacity: 0.4 },
  head: {
    gill: 0.265,
    mouth: [
      [0.006, 0.7],
      [0.022, 0.74],
      [0.042, 0.78],
    ],
    eye: { u: 0.15, v: 0.36, r: 20, iris: '#d9c878' },
    cheek: '#efeddc',
  },
  tail: { ...glassy, root: '#aaa272', length: 165, spread: 105, fork: 0.32, rays: 18, tipLine: '#5d583c' },
  back: [
    { ...glassy, from: 0.31, to: 0.49, heights: [50, 92, 82, 64, 44, 24], lean: 28, rays: 11, spines: 11 },
    { ...glassy, from: 0.52, to: 0.87, heights: [58, 60, 50, 42, 36, 28], lean: 30, rays: 18 },
  ],
  belly: [{ ...lemon, from: 0.53, to: 0.86, heights: [46, 54, 48, 40, 34, 26], lean: 36, rays: 17 }],
  pectoral: { ...lemon, u: 0.28, v: 0.66, angle: 18, length: 150, fan: 34, point: 0.25, opacity: 0.6 },
  pelvic: { ...lemon, u: 0.3, v: 0.97, angle: 40, length: 112, fan: 40, point: 0.22 },
  ice: 34,
}

function beak(body: Body): string {
  const tip = body.at(0.02, 0.5)
  const root = body.at(0.06, 0.85)
  return (
    path(
      `M${root[0] + 74} ${root[1] + 5}L${root[0] - 4} ${root[1] - 6}L${tip[0] - 190} ${tip[1] + 10}L${tip[0] - 196} ${tip[1] + 15}L${root[0] - 10} ${root[1] + 7}Z`,
      { fill: '#3c4a52', stroke: '#1d262b', 'stroke-width': 1.5 },
    ) +
    path(`M${tip[0] - 196} ${tip[1] + 13}l60 -6l0 9z`, { fill: '#e2503a' }) +
    path(`M${root[0]} ${root[1] - 7}L${tip[0] - 186} ${tip[1] + 10}`, {
      stroke: '#dfe9ec',
      'stroke-width': 2,
      opacity: 0.7,
    })
  )
}

function silverStripe(body: Body): string {
  return (
    path(strip(body, 0.38, 0.66, 0.14, 1.02), { fill: '#f4fafa', opacity: 0.95, filter: blur(3) }) +
    path(strip(body, 0.36, 0.41, 0.14, 1.02), { fill: '#27505c', opacity: 0.75, filter: blur(2) }) +
    path(
      across(body, [
        [0.2, 0.12],
        [0.5, 0.1],
        [0.9, 0.12],
      ]),
      { fill: 'none', stroke: '#1a4a4a', 'stroke-width': 3, opacity: 0.6 },
    )
  )
}

const ash = { root: '#a9bab6', edge: '#dfe8e4', ray: '#4d605c', opacity: 0.62 }

/** Eastern sea garfish, Hyporhamphus australis: needle body, lower jaw a long beak with a red tip, silver stripe. */
export const easternSeaGarfish: Species = {
  outline: {
    top: [
      [0.0, 0.002],
      [0.012, 0.01],
      [0.06, 0.024],
      [0.14, 0.036],
      [0.26, 0.046],
      [0.42, 0.05],
      [0.58, 0.049],
      [0.74, 0.042],
      [0.88, 0.028],
      [0.95, 0.022],
      [1, 0.022],
    ],
    bottom: [
      [0.0, 0.002],
      [0.012, 0.012],
      [0.06, 0.024],
      [0.14, 0.038],
      [0.26, 0.05],
      [0.42, 0.056],
      [0.58, 0.055],
      [0.74, 0.046],
      [0.88, 0.03],
      [0.95, 0.022],
      [1, 0.022],
    ],
  },
  base: '#dbe6e2',
  bands: [
    { v0: -0.1, v1: 0.34, color: '#4f8f86', soft: 8 },
    { v0: 0.66, v1: 1.1, color: '#f6faf6', soft: 8 },
  ],
  marks: silverStripe,
  scales: { rows: 9, from: 0.2, strength: 0.6 },
  tint: '#1c3f3c',
  plump: 7,
  head: {
    gill: 0.19,
    mouth: [
      [0.0, 0.6],
      [0.03, 0.72],
      [0.06, 0.76],
    ],
    eye: { u: 0.115, v: 0.42, r: 18, iris: '#dfe0cc' },
  },
  tail: { ...ash, length: 110, spread: 66, fork: 0.55, rays: 14, lower: 1.25 },
  back: [{ ...ash, from: 0.74, to: 0.93, heights: [40, 38, 28, 22, 18, 14], lean: 38, rays: 14 }],
  belly: [{ ...ash, from: 0.75, to: 0.93, heights: [38, 34, 26, 20, 16, 12], lean: 38, rays: 14 }],
  pectoral: { ...ash, u: 0.205, v: 0.36, angle: 4, length: 92, fan: 26, point: 0.2 },
  pelvic: { ...ash, u: 0.6, v: 0.97, angle: 36, length: 46, fan: 36, point: 0.25 },
  ice: 34,
  over: beak,
}
