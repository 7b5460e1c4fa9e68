import type { Species } from '../fish.ts'
import { along, type Body } from '../fish-body.ts'
import { near } from '../light.ts'
import { between, type Random } from '../random.ts'
import { path, tag } from '../svg.ts'

function saddles(body: Body, random: Random): string {
  const dark = Array.from({ length: 70 }, () => {
    const [x, y] = body.at(between(random, 0.03, 0.98), between(random, 0.02, 0.55))
    return tag('ellipse', {
      cx: x,
      cy: y,
      rx: between(random, 5, 20),
      ry: between(random, 3, 8),
      fill: '#3a2a18',
      opacity: between(random, 0.15, 0.5),
      filter: near(3),
    })
  })
  const light = Array.from({ length: 90 }, () => {
    const [x, y] = body.at(between(random, 0.03, 0.98), between(random, 0.04, 0.6))
    return tag('circle', { cx: x, cy: y, r: between(random, 1.6, 3.6), fill: '#f3e6c4', opacity: 0.6 })
  })
  const ridge = path(along(body, 0.46, 0.05, 0.3), {
    fill: 'none',
    stroke: '#2b1f12',
    'stroke-width': 6,
    opacity: 0.5,
    filter: near(3),
  })
  return dark.join('') + light.join('') + ridge
}

const sand = { root: '#a58a5c', edge: '#d8c39a', ray: '#4a3820', opacity: 0.66 }

/** Dusky flathead, Platycephalus fuscus: long, low wedge of a head, dark spot on the tail. */
export const duskyFlathead: Species = {
  outline: {
    top: [
      [0, 0.004],
      [0.012, 0.016],
      [0.05, 0.03],
      [0.1, 0.044],
      [0.16, 0.058],
      [0.22, 0.066],
      [0.3, 0.074],
      [0.4, 0.08],
      [0.52, 0.074],
      [0.66, 0.058],
      [0.8, 0.042],
      [0.92, 0.032],
      [1, 0.034],
    ],
    bottom: [
      [0, 0.004],
      [0.01, 0.018],
      [0.05, 0.03],
      [0.12, 0.042],
      [0.22, 0.054],
      [0.34, 0.064],
      [0.46, 0.066],
      [0.58, 0.06],
      [0.72, 0.048],
      [0.86, 0.034],
      [0.94, 0.029],
      [1, 0.032],
    ],
  },
  base: '#b79c6d',
  bands: [
    { v0: -0.1, v1: 0.4, color: '#6b5230', soft: 18 },
    { v0: 0.4, v1: 0.58, color: '#a3855a', soft: 12 },
    { v0: 0.66, v1: 1.1, color: '#f4ead4', soft: 12 },
  ],
  marks: saddles,
  scales: { rows: 14, from: 0.3, strength: 0.7 },
  sheen: '#fff3d8',
  tint: '#2d1f0f',
  shade: '#2b1e12',
  lateral: { v: [0.36, 0.44], color: '#4c3a22' },
  head: {
    gill: 0.27,
    mouth: [
      [0, 0.5],
      [0.03, 0.56],
      [0.07, 0.62],
      [0.105, 0.72],
    ],
    eye: { u: 0.118, v: 0.16, r: 13, iris: '#c9a85a' },
    jaw: [
      [0.02, 0.9],
      [0.08, 0.86],
      [0.16, 0.86],
    ],
  },
  tail: { ...sand, edge: '#e3d3b0', length: 170, spread: 74, fork: -0.08, rays: 16 },
  back: [
    {
      ...sand,
      from: 0.3,
      to: 0.49,
      heights: [24, 82, 92, 80, 60, 34],
      lean: 24,
      rays: 9,
      spines: 8,
      notch: 0.3,
    },
    { ...sand, from: 0.52, to: 0.87, heights: [62, 76, 66, 52, 42, 34], lean: 30, rays: 14 },
  ],
  belly: [
    { ...sand, edge: '#efe2c6', from: 0.52, to: 0.86, heights: [34, 52, 48, 42, 38, 28], lean: 34, rays: 13 },
  ],
  pectoral: { ...sand, u: 0.29, v: 0.68, angle: 28, length: 108, fan: 62, point: 0.45 },
  pelvic: { ...sand, u: 0.26, v: 0.96, angle: 34, length: 128, fan: 36, point: 0.4 },
  ice: 24,
  plump: 17,
  over: (body) => {
    const [x, y] = body.at(1, 0.3)
    return (
      tag('ellipse', {
        cx: x + 118,
        cy: y - 22,
        rx: 30,
        ry: 20,
        fill: '#17120c',
        opacity: 0.85,
        filter: near(3),
      }) +
      tag('ellipse', {
        cx: x + 96,
        cy: y + 34,
        rx: 40,
        ry: 10,
        fill: '#fff8ea',
        opacity: 0.4,
        filter: near(5),
      })
    )
  },
}
