import type { Species } from '../fish.ts'
import type { Body } from '../fish-body.ts'
import { near } from '../light.ts'
import { tag } from '../svg.ts'

function pearls(body: Body): string {
  return Array.from({ length: 13 }, (_, step) => {
    const [x, y] = body.at(0.31 + step * 0.052, 0.31 + Math.sqrt(step) * 0.042)
    const r = 10 - step * 0.3
    return (
      tag('circle', { cx: x, cy: y, r: r * 1.5, fill: '#fff6e0', opacity: 0.5, filter: near(3) }) +
      tag('circle', { cx: x, cy: y, r, fill: '#fffdf2', opacity: 0.92 })
    )
  }).join('')
}

const bronze = { root: '#86745f', edge: '#b8a78e', ray: '#3a2f26' }

/** Mulloway, Argyrosomus japonicus: long, silver-bronze, pearls along the side line, rounded pointed tail. */
export const mulloway: Species = {
  outline: {
    top: [
      [0, 0],
      [0.014, 0.028],
      [0.06, 0.062],
      [0.13, 0.102],
      [0.21, 0.136],
      [0.3, 0.154],
      [0.4, 0.152],
      [0.54, 0.13],
      [0.68, 0.1],
      [0.82, 0.066],
      [0.92, 0.048],
      [1, 0.046],
    ],
    bottom: [
      [0, 0],
      [0.018, 0.028],
      [0.06, 0.052],
      [0.14, 0.084],
      [0.25, 0.112],
      [0.38, 0.122],
      [0.5, 0.118],
      [0.62, 0.102],
      [0.74, 0.074],
      [0.86, 0.048],
      [0.94, 0.042],
      [1, 0.042],
    ],
  },
  base: '#d0d2d2',
  bands: [
    { v0: -0.1, v1: 0.24, color: '#4a3f3a', soft: 18 },
    { v0: 0.22, v1: 0.46, color: '#a49d95', soft: 26 },
    { v0: 0.5, v1: 0.66, color: '#d9d2dc', soft: 18 },
    { v0: 0.74, v1: 1.1, color: '#f9f6f0', soft: 18 },
  ],
  marks: pearls,
  scales: { rows: 22, from: 0.28, strength: 0.85 },
  sheen: '#ffe9d2',
  tint: '#3c2d27',
  lateral: { v: [0.34, 0.48], color: '#6b5e55', opacity: 0.4 },
  head: {
    gill: 0.285,
    mouth: [
      [0.002, 0.52],
      [0.035, 0.58],
      [0.075, 0.66],
      [0.115, 0.74],
    ],
    eye: { u: 0.122, v: 0.36, r: 17, iris: '#d6b25a' },
    jaw: [
      [0.03, 0.95],
      [0.09, 0.92],
      [0.16, 0.92],
    ],
    cheek: '#e9ded2',
  },
  tail: { ...bronze, length: 160, spread: 92, fork: -0.16, rays: 18 },
  back: [
    {
      ...bronze,
      from: 0.3,
      to: 0.5,
      heights: [24, 74, 88, 80, 64, 46, 26],
      lean: 28,
      rays: 10,
      spines: 10,
      notch: 0.2,
    },
    { ...bronze, from: 0.51, to: 0.93, heights: [40, 56, 54, 52, 50, 48, 46, 38, 24], lean: 24, rays: 30 },
  ],
  belly: [
    {
      ...bronze,
      edge: '#d9cbb4',
      from: 0.72,
      to: 0.81,
      heights: [46, 74, 60, 44, 28],
      lean: 30,
      rays: 9,
      spines: 2,
    },
  ],
  pectoral: { ...bronze, edge: '#d2c2ac', u: 0.3, v: 0.66, angle: 20, length: 160, fan: 44, point: 0.35 },
  pelvic: { ...bronze, edge: '#e0d3c0', u: 0.31, v: 0.97, angle: 38, length: 120, fan: 40, point: 0.25 },
}
