import type { Species } from '../fish.ts'
import { along, type Body, strip } from '../fish-body.ts'
import { blur, near } from '../light.ts'
import { path } from '../svg.ts'

const yellow = { root: '#c7a52f', edge: '#f0d24e', ray: '#7d6411', opacity: 0.92 }

function bronzeStripe(body: Body): string {
  return (
    path(strip(body, 0.4, 0.5, 0.06, 1.02), { fill: '#c99a34', opacity: 0.9, filter: blur(8) }) +
    path(along(body, 0.45, 0.08, 1), {
      fill: 'none',
      stroke: '#f0cf62',
      'stroke-width': 7,
      opacity: 0.7,
      filter: near(3),
    })
  )
}

/** Yellowtail kingfish, Seriola lalandi: torpedo, bronze stripe from snout to yellow forked tail. */
export const yellowtailKingfish: Species = {
  outline: {
    top: [
      [0, 0.004],
      [0.014, 0.026],
      [0.06, 0.058],
      [0.13, 0.09],
      [0.22, 0.118],
      [0.33, 0.134],
      [0.45, 0.132],
      [0.6, 0.112],
      [0.74, 0.08],
      [0.86, 0.046],
      [0.94, 0.027],
      [1, 0.026],
    ],
    bottom: [
      [0, 0.004],
      [0.016, 0.026],
      [0.06, 0.056],
      [0.14, 0.088],
      [0.24, 0.114],
      [0.36, 0.126],
      [0.48, 0.122],
      [0.62, 0.1],
      [0.76, 0.068],
      [0.87, 0.04],
      [0.94, 0.025],
      [1, 0.024],
    ],
  },
  base: '#cfdcdf',
  bands: [
    { v0: -0.1, v1: 0.3, color: '#153f56', soft: 18 },
    { v0: 0.28, v1: 0.42, color: '#2f7488', soft: 18 },
    { v0: 0.56, v1: 0.74, color: '#dfe9ea', soft: 18 },
    { v0: 0.74, v1: 1.1, color: '#fbfcf8', soft: 18 },
  ],
  marks: bronzeStripe,
  scales: { rows: 44, from: 0.27, strength: 0.4 },
  tint: '#12303d',
  lateral: { v: [0.3, 0.47], color: '#33525c', opacity: 0.35 },
  head: {
    gill: 0.255,
    mouth: [
      [0.002, 0.56],
      [0.03, 0.6],
      [0.06, 0.66],
      [0.085, 0.74],
    ],
    eye: { u: 0.112, v: 0.42, r: 17, iris: '#d9c27a' },
    jaw: [
      [0.02, 0.96],
      [0.08, 0.92],
      [0.15, 0.93],
    ],
    cheek: '#e8eeec',
  },
  tail: { ...yellow, length: 245, spread: 205, fork: 0.72, rays: 26 },
  back: [
    {
      root: '#6b7f5c',
      edge: '#a79f4e',
      ray: '#3c4430',
      from: 0.3,
      to: 0.41,
      heights: [20, 34, 34, 26, 14],
      lean: 34,
      rays: 7,
      spines: 7,
    },
    {
      ...yellow,
      root: '#8e8a3e',
      edge: '#d9bd45',
      from: 0.43,
      to: 0.93,
      heights: [66, 84, 58, 42, 36, 32, 30, 28, 24],
      lean: 40,
      rays: 30,
    },
  ],
  belly: [
    {
      ...yellow,
      root: '#a89a46',
      from: 0.62,
      to: 0.92,
      heights: [52, 62, 44, 34, 30, 26, 22],
      lean: 44,
      rays: 20,
    },
  ],
  pectoral: {
    ...yellow,
    root: '#a9a06a',
    edge: '#e3d079',
    u: 0.27,
    v: 0.6,
    angle: 14,
    length: 128,
    fan: 36,
    point: 0.25,
    opacity: 0.75,
  },
  pelvic: { ...yellow, u: 0.3, v: 0.97, angle: 32, length: 122, fan: 40, point: 0.22 },
}

const grey = { root: '#8fa0a4', edge: '#c4cdc9', ray: '#495a60', opacity: 0.75 }

function scutes(body: Body): string {
  const plates = Array.from({ length: 22 }, (_, step) => {
    const [x, y] = body.at(0.66 + step * 0.0155, 0.475)
    return `M${x.toFixed(1)} ${(y - 7).toFixed(1)}l12 7l-12 7z`
  })
  const [spotX, spotY] = body.at(0.285, 0.27)
  return (
    path(strip(body, 0.36, 0.52, 0.3, 1.02), { fill: '#e7c94f', opacity: 0.42, filter: blur(12) }) +
    path(plates.join(''), { fill: '#f6f2dc', stroke: '#69706a', 'stroke-width': 1.2, opacity: 0.8 }) +
    path(`M${spotX} ${spotY - 26}q18 26 0 52q-14 -26 0 -52z`, {
      fill: '#10181c',
      opacity: 0.85,
      filter: near(3),
    })
  )
}

/** Silver trevally, Pseudocaranx georgianus: deep, blue-silver, yellow line to a forked yellow tail, dark gill spot. */
export const silverTrevally: Species = {
  outline: {
    top: [
      [0, 0],
      [0.014, 0.028],
      [0.06, 0.076],
      [0.13, 0.128],
      [0.22, 0.172],
      [0.33, 0.198],
      [0.45, 0.198],
      [0.6, 0.166],
      [0.74, 0.112],
      [0.86, 0.058],
      [0.94, 0.028],
      [1, 0.028],
    ],
    bottom: [
      [0, 0],
      [0.018, 0.03],
      [0.07, 0.07],
      [0.15, 0.112],
      [0.26, 0.148],
      [0.38, 0.164],
      [0.5, 0.16],
      [0.64, 0.128],
      [0.77, 0.08],
      [0.87, 0.044],
      [0.94, 0.026],
      [1, 0.026],
    ],
  },
  base: '#d5dfe1',
  bands: [
    { v0: -0.1, v1: 0.22, color: '#3d6677', soft: 26 },
    { v0: 0.2, v1: 0.36, color: '#8fb0b8', soft: 26 },
    { v0: 0.7, v1: 1.1, color: '#fbfdfb', soft: 26 },
  ],
  marks: scutes,
  scales: { rows: 34, from: 0.29, strength: 0.5 },
  tint: '#1d3a47',
  lateral: { v: [0.26, 0.475], color: '#5b6a66', opacity: 0.5 },
  head: {
    gill: 0.285,
    mouth: [
      [0.003, 0.58],
      [0.03, 0.6],
      [0.055, 0.65],
      [0.075, 0.7],
    ],
    eye: { u: 0.14, v: 0.41, r: 24, iris: '#e0c878' },
    jaw: [
      [0.03, 0.95],
      [0.09, 0.92],
      [0.15, 0.92],
    ],
    cheek: '#eef1ea',
  },
  tail: {
    ...grey,
    root: '#b1a75e',
    edge: '#e5cf62',
    ray: '#6a5f28',
    length: 250,
    spread: 200,
    fork: 0.7,
    rays: 24,
  },
  back: [
    { ...grey, from: 0.3, to: 0.46, heights: [24, 70, 72, 56, 34, 16], lean: 26, rays: 8, spines: 8 },
    {
      ...grey,
      root: '#a5a876',
      edge: '#dccb6a',
      from: 0.48,
      to: 0.92,
      heights: [66, 78, 56, 44, 38, 34, 28, 22],
      lean: 38,
      rays: 26,
    },
  ],
  belly: [
    {
      ...grey,
      root: '#b4b184',
      edge: '#e2d374',
      from: 0.56,
      to: 0.91,
      heights: [54, 66, 50, 42, 36, 30, 24],
      lean: 40,
      rays: 22,
    },
  ],
  pectoral: {
    ...grey,
    root: '#b9b795',
    edge: '#e4dcae',
    u: 0.3,
    v: 0.58,
    angle: 20,
    length: 290,
    fan: 24,
    point: 0.18,
    opacity: 0.6,
  },
  pelvic: { ...grey, edge: '#e8e6cf', u: 0.33, v: 0.97, angle: 36, length: 116, fan: 36, point: 0.22 },
}
