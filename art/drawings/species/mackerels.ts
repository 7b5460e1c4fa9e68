import type { Species } from '../fish.ts'
import { across, along, type Body, strip } from '../fish-body.ts'
import type { Point } from '../geometry.ts'
import { blur, far, near } from '../light.ts'
import { between, type Random } from '../random.ts'
import { path, tag } from '../svg.ts'

function waves(body: Body, random: Random): string {
  const bars = Array.from({ length: 24 }, (_, step) => {
    const u = 0.2 + step * 0.0325
    const places = [0.04, 0.13, 0.22, 0.31, 0.4].map(
      (v, index): Point => [u + (index % 2) * 0.014 + between(random, -0.004, 0.004), v],
    )
    return path(across(body, places), {
      fill: 'none',
      stroke: '#0a2430',
      'stroke-width': 9,
      'stroke-linecap': 'round',
      opacity: 0.78,
      filter: near(1),
    })
  })
  const dots = Array.from({ length: 60 }, () => {
    const [x, y] = body.at(between(random, 0.25, 0.93), between(random, 0.5, 0.78))
    return tag('ellipse', { cx: x, cy: y, rx: 5, ry: 3.4, fill: '#3c5560', opacity: 0.5 })
  })
  return bars.join('') + dots.join('')
}

function finlets(body: Body, count: number, fill: string): string {
  return Array.from({ length: count }, (_, step) => {
    const u = 0.99 - (count - step) * 0.032
    const [x, y] = body.at(u, 0.04)
    const [lowX, lowY] = body.at(u, 0.96)
    return path(
      `M${x - 4} ${y + 3}q6 -15 25 -15q-8 8 -6 16zM${lowX - 4} ${lowY - 3}q6 15 25 15q-8 -8 -6 -16z`,
      { fill, stroke: '#23343a', 'stroke-width': 1.2 },
    )
  }).join('')
}

const grey = { root: '#56707a', edge: '#a3b5b8', ray: '#263840', opacity: 0.8 }

/** Blue mackerel, Scomber australasicus: round, blue-green, wavy back, spotted belly. */
export const blueMackerel: Species = {
  outline: {
    top: [
      [0, 0.002],
      [0.014, 0.02],
      [0.06, 0.046],
      [0.14, 0.08],
      [0.24, 0.104],
      [0.36, 0.114],
      [0.5, 0.108],
      [0.64, 0.088],
      [0.78, 0.056],
      [0.88, 0.03],
      [0.95, 0.018],
      [1, 0.018],
    ],
    bottom: [
      [0, 0.002],
      [0.016, 0.02],
      [0.07, 0.05],
      [0.15, 0.08],
      [0.25, 0.1],
      [0.38, 0.108],
      [0.5, 0.102],
      [0.64, 0.082],
      [0.78, 0.052],
      [0.88, 0.028],
      [0.95, 0.018],
      [1, 0.018],
    ],
  },
  base: '#cddcd9',
  bands: [
    { v0: -0.1, v1: 0.42, color: '#1f7a86', soft: 12 },
    { v0: 0.3, v1: 0.46, color: '#5fb0a4', opacity: 0.8, soft: 12 },
    { v0: 0.6, v1: 1.1, color: '#f6faf6', soft: 18 },
  ],
  marks: waves,
  sheen: '#d9fff6',
  tint: '#0d3640',
  plump: 17,
  lateral: { v: [0.38, 0.48], color: '#35555c', opacity: 0.4 },
  head: {
    gill: 0.25,
    mouth: [
      [0, 0.5],
      [0.03, 0.58],
      [0.07, 0.66],
      [0.1, 0.74],
    ],
    eye: { u: 0.115, v: 0.44, r: 25, iris: '#dcc66a' },
    jaw: [
      [0.02, 0.96],
      [0.09, 0.9],
      [0.15, 0.9],
    ],
    cheek: '#e6eeea',
  },
  tail: { ...grey, root: '#5b7a6a', edge: '#b9b96a', length: 165, spread: 140, fork: 0.74, rays: 22 },
  back: [
    { ...grey, from: 0.32, to: 0.47, heights: [60, 82, 72, 56, 40, 22], lean: 36, rays: 10, spines: 10 },
    { ...grey, from: 0.62, to: 0.73, heights: [44, 50, 34, 26, 18], lean: 42, rays: 11 },
  ],
  belly: [
    { ...grey, edge: '#d3dcd8', from: 0.64, to: 0.75, heights: [40, 46, 32, 24, 16], lean: 42, rays: 11 },
  ],
  pectoral: { ...grey, u: 0.265, v: 0.48, angle: 12, length: 110, fan: 34, point: 0.2 },
  pelvic: { ...grey, edge: '#dfe6e0', u: 0.3, v: 0.97, angle: 34, length: 84, fan: 36, point: 0.2 },
  over: (body) => finlets(body, 6, '#8fa58a'),
}

function bars(body: Body, random: Random): string {
  return Array.from({ length: 34 }, (_, step) => {
    const u = 0.22 + step * 0.0226
    const places = [0.14, 0.34, 0.54, between(random, 0.7, 0.8)].map(
      (v): Point => [u + (v - 0.4) * 0.012 + between(random, -0.003, 0.003), v],
    )
    return path(across(body, places), {
      fill: 'none',
      stroke: '#24495e',
      'stroke-width': between(random, 5, 8),
      'stroke-linecap': 'round',
      opacity: 0.62,
      filter: near(2),
    })
  }).join('')
}

const steel = { root: '#33505f', edge: '#6d8893', ray: '#152730', opacity: 0.9 }

/** Spanish mackerel, Scomberomorus commerson: very long, narrow bars, strong pointed jaw. */
export const spanishMackerel: Species = {
  ...blueMackerel,
  outline: {
    top: [
      [0, 0.002],
      [0.014, 0.014],
      [0.06, 0.034],
      [0.14, 0.062],
      [0.24, 0.084],
      [0.36, 0.096],
      [0.5, 0.094],
      [0.64, 0.078],
      [0.78, 0.05],
      [0.88, 0.026],
      [0.95, 0.014],
      [1, 0.014],
    ],
    bottom: [
      [0, 0.002],
      [0.016, 0.014],
      [0.07, 0.038],
      [0.15, 0.064],
      [0.25, 0.084],
      [0.38, 0.094],
      [0.5, 0.09],
      [0.64, 0.072],
      [0.78, 0.046],
      [0.88, 0.024],
      [0.95, 0.014],
      [1, 0.014],
    ],
  },
  bands: [
    { v0: -0.1, v1: 0.3, color: '#173f5a', soft: 12 },
    { v0: 0.26, v1: 0.5, color: '#7fa3b4', soft: 18 },
    { v0: 0.6, v1: 1.1, color: '#f4f8f8', soft: 18 },
  ],
  marks: bars,
  sheen: '#e6f6ff',
  tint: '#10303f',
  lateral: { v: [0.3, 0.56], color: '#2b4654', opacity: 0.5 },
  head: {
    gill: 0.225,
    mouth: [
      [0, 0.5],
      [0.04, 0.58],
      [0.08, 0.64],
      [0.12, 0.72],
    ],
    eye: { u: 0.1, v: 0.4, r: 15, iris: '#d8cf98' },
    jaw: [
      [0.02, 0.97],
      [0.09, 0.92],
      [0.15, 0.92],
    ],
    cheek: '#e7eef0',
  },
  tail: { ...steel, length: 170, spread: 165, fork: 0.78, rays: 24 },
  back: [
    {
      ...steel,
      from: 0.25,
      to: 0.53,
      heights: [34, 48, 46, 44, 40, 36, 30, 20],
      lean: 36,
      rays: 16,
      spines: 16,
    },
    { ...steel, from: 0.54, to: 0.65, heights: [60, 70, 46, 32, 22], lean: 44, rays: 14 },
  ],
  belly: [
    { ...steel, edge: '#a9bbc2', from: 0.56, to: 0.67, heights: [56, 66, 44, 30, 20], lean: 44, rays: 14 },
  ],
  pectoral: { ...steel, u: 0.24, v: 0.46, angle: 12, length: 118, fan: 30, point: 0.2 },
  over: (body) => finlets(body, 9, '#6b8490'),
}

function dots(body: Body): string {
  const row = Array.from({ length: 13 }, (_, step) => {
    const [x, y] = body.at(0.27 + step * 0.052, 0.4)
    return tag('circle', { cx: x, cy: y, r: 10 - step * 0.3, fill: '#16303e', opacity: 0.7, filter: near(2) })
  })
  return (
    path(strip(body, 0.3, 0.36, 0.1, 0.98), { fill: '#6fd0c8', opacity: 0.55, filter: blur(8) }) +
    row.join('') +
    path(along(body, 0.62, 0.25, 0.95), {
      fill: 'none',
      stroke: '#fff',
      'stroke-width': 30,
      opacity: 0.5,
      filter: far(12),
    })
  )
}

const clear = { root: '#8aa0a6', edge: '#d5dfe0', ray: '#42565e', opacity: 0.6 }

/** Australian sardine, Sardinops sagax: small, blue-green back, dark dots in a row. */
export const australianSardine: Species = {
  outline: {
    top: [
      [0, 0.004],
      [0.016, 0.024],
      [0.07, 0.052],
      [0.16, 0.08],
      [0.28, 0.098],
      [0.42, 0.1],
      [0.58, 0.086],
      [0.74, 0.06],
      [0.88, 0.038],
      [0.95, 0.032],
      [1, 0.032],
    ],
    bottom: [
      [0, 0.004],
      [0.014, 0.026],
      [0.07, 0.058],
      [0.16, 0.088],
      [0.28, 0.108],
      [0.42, 0.112],
      [0.58, 0.096],
      [0.74, 0.066],
      [0.88, 0.04],
      [0.95, 0.032],
      [1, 0.032],
    ],
  },
  base: '#d3dfe2',
  bands: [
    { v0: -0.1, v1: 0.34, color: '#173f63', soft: 12 },
    { v0: 0.52, v1: 1.1, color: '#f5f8f7', soft: 18 },
  ],
  marks: dots,
  scales: { rows: 15, from: 0.26, strength: 0.7 },
  tint: '#12303f',
  plump: 17,
  head: {
    gill: 0.25,
    mouth: [
      [0, 0.46],
      [0.03, 0.5],
      [0.06, 0.58],
      [0.08, 0.66],
    ],
    eye: { u: 0.11, v: 0.44, r: 27, iris: '#dcd3a0' },
    jaw: [
      [0.03, 0.95],
      [0.09, 0.9],
      [0.15, 0.9],
    ],
    cheek: '#e8ecdf',
  },
  tail: { ...clear, root: '#6d858e', length: 170, spread: 118, fork: 0.7, rays: 18 },
  back: [{ ...clear, from: 0.42, to: 0.56, heights: [52, 68, 52, 36, 22], lean: 32, rays: 13 }],
  belly: [{ ...clear, from: 0.78, to: 0.92, heights: [16, 20, 18, 14], lean: 34, rays: 10 }],
  pectoral: { ...clear, u: 0.26, v: 0.82, angle: 22, length: 110, fan: 30, point: 0.2 },
  pelvic: { ...clear, u: 0.52, v: 0.97, angle: 40, length: 60, fan: 36, point: 0.25 },
  ice: 40,
}
