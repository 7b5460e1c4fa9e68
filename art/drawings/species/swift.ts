import type { Species } from '../fish.ts'
import { type Body, strip } from '../fish-body.ts'
import { blur, near } from '../light.ts'
import { between, type Random } from '../random.ts'
import { path, tag } from '../svg.ts'

const sea = { root: '#6f8f86', edge: '#b3c5ba', ray: '#2e4640', opacity: 0.78 }

function teeth(body: Body): string {
  const points = Array.from({ length: 9 }, (_, step) => {
    const [x, y] = body.at(0.012 + step * 0.0105, 0.56 + step * 0.017)
    return `M${x} ${y - 1}l3 8l3 -7z`
  })
  return path(points.join(''), { fill: '#fffdf4', stroke: '#4a4a44', 'stroke-width': 0.6 })
}

/** Tailor, Pomatomus saltatrix: long, green back, jutting toothed jaw, low first fin, forked tail. */
export const tailor: Species = {
  outline: {
    top: [
      [0, -0.004],
      [0.014, 0.022],
      [0.06, 0.054],
      [0.13, 0.088],
      [0.22, 0.116],
      [0.33, 0.128],
      [0.47, 0.122],
      [0.62, 0.098],
      [0.77, 0.066],
      [0.88, 0.044],
      [0.95, 0.036],
      [1, 0.038],
    ],
    bottom: [
      [0, 0.004],
      [-0.004, 0.02],
      [0.03, 0.048],
      [0.1, 0.082],
      [0.2, 0.11],
      [0.33, 0.124],
      [0.47, 0.12],
      [0.62, 0.096],
      [0.77, 0.062],
      [0.88, 0.042],
      [0.95, 0.036],
      [1, 0.038],
    ],
  },
  base: '#ced9d5',
  bands: [
    { v0: -0.1, v1: 0.28, color: '#2f6a64', soft: 18 },
    { v0: 0.26, v1: 0.44, color: '#86aaa2', soft: 18 },
    { v0: 0.7, v1: 1.1, color: '#fafcf8', soft: 18 },
  ],
  scales: { rows: 26, from: 0.28, strength: 0.75 },
  sheen: '#e5fff6',
  tint: '#14352f',
  lateral: { v: [0.32, 0.48], color: '#45605a', opacity: 0.45 },
  head: {
    gill: 0.285,
    mouth: [
      [0.0, 0.5],
      [0.03, 0.58],
      [0.07, 0.68],
      [0.115, 0.76],
    ],
    eye: { u: 0.13, v: 0.38, r: 19, iris: '#dcc25e' },
    jaw: [
      [0.02, 0.97],
      [0.09, 0.93],
      [0.16, 0.92],
    ],
    cheek: '#e6ece6',
  },
  tail: { ...sea, root: '#5f7d74', length: 215, spread: 165, fork: 0.52, rays: 24, tipLine: '#2d4640' },
  back: [
    { ...sea, from: 0.33, to: 0.47, heights: [22, 38, 40, 34, 26, 14], lean: 30, rays: 8, spines: 8 },
    { ...sea, from: 0.5, to: 0.9, heights: [62, 72, 56, 46, 40, 34, 26], lean: 34, rays: 24 },
  ],
  belly: [
    { ...sea, edge: '#d3ddd3', from: 0.54, to: 0.9, heights: [50, 60, 48, 40, 34, 24], lean: 38, rays: 23 },
  ],
  pectoral: { ...sea, u: 0.3, v: 0.6, angle: 18, length: 130, fan: 36, point: 0.25 },
  pelvic: { ...sea, edge: '#dde5dc', u: 0.31, v: 0.97, angle: 38, length: 96, fan: 38, point: 0.22 },
  over: teeth,
}

const ink = { root: '#33434e', edge: '#66757e', ray: '#161f26', opacity: 0.9 }

/** Blue-eye trevalla, Hyperoglyphe antarctica: slate back, blunt head, huge blue-gold eye. */
export const blueEyeTrevalla: Species = {
  outline: {
    top: [
      [0, 0.0],
      [0.008, 0.036],
      [0.03, 0.078],
      [0.08, 0.122],
      [0.15, 0.156],
      [0.25, 0.18],
      [0.37, 0.184],
      [0.5, 0.168],
      [0.64, 0.132],
      [0.78, 0.086],
      [0.88, 0.056],
      [0.95, 0.046],
      [1, 0.05],
    ],
    bottom: [
      [0, 0.0],
      [0.008, 0.03],
      [0.04, 0.068],
      [0.1, 0.106],
      [0.2, 0.14],
      [0.33, 0.158],
      [0.47, 0.154],
      [0.6, 0.128],
      [0.74, 0.086],
      [0.86, 0.054],
      [0.94, 0.046],
      [1, 0.048],
    ],
  },
  base: '#aeb9be',
  bands: [
    { v0: -0.1, v1: 0.34, color: '#26394a', soft: 26 },
    { v0: 0.32, v1: 0.52, color: '#6d8290', soft: 26 },
    { v0: 0.74, v1: 1.1, color: '#eef1ef', soft: 26 },
    { v0: 0.0, v1: 0.5, color: '#2c3d4c', opacity: 0.6, u0: -0.05, u1: 0.22, soft: 26 },
  ],
  scales: { rows: 30, from: 0.29, strength: 0.6 },
  sheen: '#dcecf6',
  tint: '#0f1d29',
  lateral: { v: [0.26, 0.47], color: '#3b4a54', opacity: 0.5 },
  head: {
    gill: 0.29,
    mouth: [
      [0.002, 0.54],
      [0.03, 0.58],
      [0.06, 0.64],
      [0.09, 0.7],
    ],
    eye: { u: 0.135, v: 0.4, r: 37, iris: '#8fb3c9', rim: '#1a2a38' },
    jaw: [
      [0.03, 0.95],
      [0.1, 0.92],
      [0.16, 0.9],
    ],
    cheek: '#aab7bc',
  },
  tail: { ...ink, length: 215, spread: 165, fork: 0.42, rays: 22 },
  back: [
    {
      ...ink,
      from: 0.3,
      to: 0.5,
      heights: [24, 40, 44, 40, 34, 28],
      lean: 30,
      rays: 8,
      spines: 8,
      notch: 0.35,
    },
    { ...ink, from: 0.5, to: 0.87, heights: [34, 62, 60, 50, 42, 32, 22], lean: 30, rays: 20 },
  ],
  belly: [
    {
      ...ink,
      edge: '#7b8990',
      from: 0.62,
      to: 0.86,
      heights: [34, 60, 52, 42, 34, 24],
      lean: 36,
      rays: 16,
      spines: 2,
    },
  ],
  pectoral: { ...ink, u: 0.305, v: 0.6, angle: 16, length: 220, fan: 30, point: 0.2 },
  pelvic: { ...ink, u: 0.33, v: 0.97, angle: 38, length: 120, fan: 38, point: 0.22 },
}

function spots(body: Body, random: Random): string {
  const list = Array.from({ length: 80 }, () => {
    const [x, y] = body.at(between(random, 0.06, 0.95), between(random, 0.05, 0.4))
    const r = between(random, 3.5, 8)
    return tag('ellipse', {
      cx: x,
      cy: y,
      rx: r,
      ry: r * 0.8,
      fill: '#10171c',
      opacity: between(random, 0.55, 0.9),
      filter: near(1),
    })
  })
  return (
    path(strip(body, 0.36, 0.5, 0.27, 0.98), { fill: '#cfdbe4', opacity: 0.7, filter: blur(12) }) +
    list.join('')
  )
}

const slateFin = { root: '#5c6a72', edge: '#94a2a8', ray: '#273138', opacity: 0.88 }

/** Atlantic salmon, Salmo salar: silver, black spots on a blue-grey back, fleshy fin before the tail. */
export const atlanticSalmon: Species = {
  outline: {
    top: [
      [0, 0.004],
      [0.014, 0.022],
      [0.06, 0.046],
      [0.13, 0.078],
      [0.22, 0.106],
      [0.34, 0.124],
      [0.47, 0.122],
      [0.62, 0.1],
      [0.76, 0.07],
      [0.87, 0.05],
      [0.94, 0.045],
      [1, 0.052],
    ],
    bottom: [
      [0, 0.004],
      [0.014, 0.024],
      [0.06, 0.05],
      [0.13, 0.078],
      [0.23, 0.108],
      [0.36, 0.126],
      [0.5, 0.122],
      [0.64, 0.1],
      [0.77, 0.068],
      [0.88, 0.048],
      [0.95, 0.044],
      [1, 0.05],
    ],
  },
  base: '#d2d9db',
  bands: [
    { v0: -0.1, v1: 0.26, color: '#21394a', soft: 18 },
    { v0: 0.24, v1: 0.42, color: '#6d8c9b', soft: 18 },
    { v0: 0.72, v1: 1.1, color: '#fafaf6', soft: 18 },
  ],
  marks: spots,
  scales: { rows: 30, from: 0.26, strength: 0.75 },
  sheen: '#eef8ff',
  tint: '#1b2c36',
  lateral: { v: [0.42, 0.48], color: '#4d5c64', opacity: 0.5 },
  head: {
    gill: 0.235,
    mouth: [
      [0.0, 0.54],
      [0.04, 0.62],
      [0.08, 0.68],
      [0.115, 0.74],
    ],
    eye: { u: 0.098, v: 0.4, r: 15, iris: '#d5bd6c' },
    jaw: [
      [0.02, 0.96],
      [0.09, 0.92],
      [0.15, 0.92],
    ],
    cheek: '#e3e6e2',
  },
  tail: { ...slateFin, length: 170, spread: 128, fork: 0.3, rays: 22 },
  back: [
    { ...slateFin, from: 0.45, to: 0.58, heights: [60, 92, 82, 66, 46], lean: 30, rays: 13 },
    { ...slateFin, opacity: 1, from: 0.82, to: 0.855, heights: [18, 34, 26, 10], lean: 40, rays: 6 },
  ],
  belly: [
    { ...slateFin, edge: '#b9c2c4', from: 0.73, to: 0.83, heights: [40, 74, 60, 44, 28], lean: 34, rays: 10 },
  ],
  pectoral: { ...slateFin, edge: '#b5bfc2', u: 0.24, v: 0.86, angle: 22, length: 140, fan: 34, point: 0.22 },
  pelvic: { ...slateFin, edge: '#c5cdce', u: 0.55, v: 0.97, angle: 34, length: 96, fan: 36, point: 0.22 },
}
