import type { Species } from '../fish.ts'
import { along, type Body } from '../fish-body.ts'
import { near } from '../light.ts'
import { between, type Random } from '../random.ts'
import { path, tag } from '../svg.ts'

function blueSpots(body: Body, random: Random): string {
  const spots: string[] = []
  for (let row = 0; row < 7; row++) {
    for (let u = 0.24 + (row % 2) * 0.02; u < 0.95; u += 0.042) {
      if (random() > 0.86) continue
      const [x, y] = body.at(
        u + between(random, -0.008, 0.008),
        0.1 + row * 0.085 + between(random, -0.015, 0.015),
      )
      const r = between(random, 4, 6.4) * (row > 4 ? 0.8 : 1)
      spots.push(tag('circle', { cx: x, cy: y, r: r * 1.7, fill: '#3aa0ec', opacity: 0.35, filter: near(2) }))
      spots.push(tag('circle', { cx: x, cy: y, r, fill: '#2f9df0', opacity: 0.95 }))
      spots.push(
        tag('circle', { cx: x - r * 0.3, cy: y - r * 0.3, r: r * 0.4, fill: '#dff4ff', opacity: 0.9 }),
      )
    }
  }
  return spots.join('')
}

function scaleLines(body: Body): string {
  return Array.from({ length: 9 }, (_, row) =>
    path(along(body, 0.1 + row * 0.085, 0.3, 0.96), {
      fill: 'none',
      stroke: '#4b5044',
      'stroke-width': 5,
      opacity: 0.2,
      filter: near(2),
    }),
  ).join('')
}

const pink = { root: '#d9796f', edge: '#f0b9b0', ray: '#8e3632' }

/** Snapper, Chrysophrys auratus: steep head, pink back with blue spots, twelve spines. */
export const snapper: Species = {
  outline: {
    top: [
      [0, 0],
      [0.012, 0.04],
      [0.05, 0.108],
      [0.105, 0.175],
      [0.17, 0.228],
      [0.25, 0.266],
      [0.35, 0.278],
      [0.48, 0.258],
      [0.62, 0.206],
      [0.76, 0.137],
      [0.87, 0.08],
      [0.945, 0.057],
      [1, 0.06],
    ],
    bottom: [
      [0, 0],
      [0.014, 0.022],
      [0.055, 0.056],
      [0.12, 0.098],
      [0.22, 0.14],
      [0.36, 0.158],
      [0.5, 0.156],
      [0.64, 0.132],
      [0.78, 0.09],
      [0.88, 0.06],
      [0.95, 0.05],
      [1, 0.056],
    ],
  },
  base: '#ecb3ab',
  bands: [
    { v0: -0.1, v1: 0.24, color: '#b9483f', soft: 26 },
    { v0: 0.2, v1: 0.5, color: '#de8b80', opacity: 0.8, soft: 26 },
    { v0: 0.7, v1: 1.1, color: '#fbf1ee', soft: 26 },
    { v0: 0.15, v1: 0.6, color: '#c9655b', opacity: 0.75, u0: -0.02, u1: 0.24, soft: 26 },
  ],
  marks: blueSpots,
  scales: { rows: 21, from: 0.27, strength: 0.85 },
  sheen: '#ffe3da',
  tint: '#8d2f2c',
  lateral: { v: [0.27, 0.46], color: '#8e3a36' },
  head: {
    gill: 0.3,
    mouth: [
      [0.004, 0.62],
      [0.03, 0.64],
      [0.062, 0.72],
      [0.092, 0.78],
    ],
    eye: { u: 0.168, v: 0.37, r: 31, iris: '#d9a441' },
    jaw: [
      [0.03, 0.98],
      [0.09, 0.93],
      [0.15, 0.9],
    ],
    cheek: '#f3c9c0',
  },
  tail: { ...pink, length: 265, spread: 200, fork: 0.55, tipLine: '#a8433c' },
  back: [
    {
      ...pink,
      from: 0.29,
      to: 0.86,
      heights: [40, 84, 104, 98, 88, 80, 74, 74, 70, 52, 30],
      lean: 26,
      rays: 23,
      spines: 12,
    },
  ],
  belly: [
    {
      ...pink,
      edge: '#f7d9d3',
      from: 0.64,
      to: 0.85,
      heights: [34, 66, 72, 62, 44, 26],
      lean: 34,
      rays: 11,
      spines: 3,
    },
  ],
  pectoral: {
    ...pink,
    edge: '#f6cfc7',
    u: 0.315,
    v: 0.66,
    angle: 16,
    length: 300,
    fan: 34,
    point: 0.22,
    opacity: 0.7,
  },
  pelvic: {
    root: '#e9a89f',
    edge: '#fbe3de',
    ray: '#9a4a44',
    u: 0.37,
    v: 0.97,
    angle: 48,
    length: 165,
    fan: 46,
    point: 0.2,
  },
}

const pale = { root: '#b9b58c', edge: '#d9d6b4', ray: '#5d5a44' }
const yellow = { root: '#d8b13a', edge: '#efd774', ray: '#8a6a17' }

/** Yellowfin bream, Acanthopagrus australis: silver, pointed snout, yellow lower fins. */
export const yellowfinBream: Species = {
  outline: {
    top: [
      [0, 0],
      [0.014, 0.026],
      [0.06, 0.075],
      [0.13, 0.142],
      [0.2, 0.195],
      [0.28, 0.228],
      [0.38, 0.238],
      [0.5, 0.22],
      [0.64, 0.174],
      [0.78, 0.112],
      [0.88, 0.07],
      [0.95, 0.052],
      [1, 0.056],
    ],
    bottom: [
      [0, 0],
      [0.02, 0.022],
      [0.07, 0.06],
      [0.15, 0.11],
      [0.26, 0.152],
      [0.4, 0.168],
      [0.54, 0.158],
      [0.66, 0.128],
      [0.78, 0.086],
      [0.88, 0.058],
      [0.95, 0.048],
      [1, 0.054],
    ],
  },
  base: '#c9cfc9',
  bands: [
    { v0: -0.1, v1: 0.22, color: '#6f7566', soft: 26 },
    { v0: 0.2, v1: 0.45, color: '#a9ae9f', soft: 26 },
    { v0: 0.5, v1: 0.7, color: '#dfe3de', soft: 26 },
    { v0: 0.74, v1: 1.1, color: '#f7f7ee', soft: 26 },
  ],
  marks: scaleLines,
  scales: { rows: 17, from: 0.28, strength: 1 },
  tint: '#3f4438',
  lateral: { v: [0.28, 0.46], color: '#4a4c3e' },
  head: {
    gill: 0.3,
    mouth: [
      [0.004, 0.6],
      [0.035, 0.62],
      [0.07, 0.68],
      [0.1, 0.72],
    ],
    eye: { u: 0.165, v: 0.36, r: 27, iris: '#d8c47c' },
    jaw: [
      [0.03, 0.96],
      [0.1, 0.93],
      [0.16, 0.92],
    ],
    cheek: '#e6e6d6',
  },
  tail: {
    root: '#b7ae68',
    edge: '#d8cf86',
    ray: '#5d5a34',
    length: 250,
    spread: 178,
    fork: 0.5,
    tipLine: '#3c3a2a',
  },
  back: [
    {
      ...pale,
      from: 0.3,
      to: 0.86,
      heights: [36, 76, 96, 92, 84, 76, 68, 66, 62, 48, 26],
      lean: 28,
      rays: 22,
      spines: 11,
    },
  ],
  belly: [
    { ...yellow, from: 0.64, to: 0.84, heights: [44, 90, 76, 60, 46, 26], lean: 38, rays: 11, spines: 3 },
  ],
  pectoral: {
    ...yellow,
    edge: '#efe3a4',
    u: 0.31,
    v: 0.64,
    angle: 16,
    length: 260,
    fan: 32,
    point: 0.24,
    opacity: 0.62,
  },
  pelvic: { ...yellow, u: 0.36, v: 0.97, angle: 46, length: 160, fan: 44, point: 0.2 },
}
