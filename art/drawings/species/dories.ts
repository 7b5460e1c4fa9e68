import type { Species } from '../fish.ts'
import { across, along, type Body, strip } from '../fish-body.ts'
import { away, type Point } from '../geometry.ts'
import { blur, far, near } from '../light.ts'
import { between, type Random } from '../random.ts'
import { path, tag } from '../svg.ts'

function thumbprint(body: Body): string {
  const [x, y] = body.at(0.5, 0.47)
  return (
    tag('ellipse', { cx: x, cy: y, rx: 60, ry: 66, fill: '#f3e7b6', opacity: 0.9, filter: near(5) }) +
    tag('ellipse', { cx: x, cy: y, rx: 46, ry: 52, fill: '#14171a', opacity: 0.94, filter: near(3) }) +
    tag('ellipse', {
      cx: x - 12,
      cy: y - 16,
      rx: 18,
      ry: 14,
      fill: '#8fa6a8',
      opacity: 0.35,
      filter: near(5),
    })
  )
}

function marbling(body: Body, random: Random): string {
  const clouds = Array.from({ length: 9 }, (_, row) => {
    const v = 0.08 + row * 0.1
    const places = Array.from(
      { length: 7 },
      (_, step): Point => [0.3 + step * 0.11, v + between(random, -0.035, 0.035)],
    )
    return path(across(body, places), {
      fill: 'none',
      stroke: row % 2 === 0 ? '#4d4a1e' : '#f3ebbd',
      'stroke-width': 24,
      opacity: 0.5,
      filter: near(8),
    })
  })
  return clouds.join('') + thumbprint(body)
}

/** Threads that trail from the first spines of the back fin. */
const threads = (body: Body, color: string): string =>
  Array.from({ length: 8 }, (_, step) => {
    const root = body.at(0.33 + step * 0.032, 0.03)
    const tip = away(root, -62 + step * 3, 130 - step * 5)
    const end = away(tip, -18 + step * 3, 170 - step * 12)
    return path(`M${tip[0]} ${tip[1]}Q${tip[0] + 60} ${tip[1] - 46} ${end[0]} ${end[1]}`, {
      fill: 'none',
      stroke: color,
      'stroke-width': 4 - step * 0.25,
      'stroke-linecap': 'round',
      opacity: 0.85,
    })
  }).join('')

function bucklers(body: Body): string {
  return Array.from({ length: 12 }, (_, step) => {
    const [x, y] = body.at(0.5 + step * 0.036, 0.985)
    return path(`M${x - 12} ${y}l8 -15l16 13z`, {
      fill: '#e6dfb4',
      stroke: '#4d4a26',
      'stroke-width': 1.5,
      opacity: 0.9,
    })
  }).join('')
}

const olive = { root: '#8a8348', edge: '#c9c084', ray: '#3f3b1c', opacity: 0.7 }

/** John dory, Zeus faber: tall, olive, one thumbprint, ten tall spines with long threads, great jaw. */
export const johnDory: Species = {
  outline: {
    top: [
      [0, 0.02],
      [0.01, 0.05],
      [0.05, 0.105],
      [0.12, 0.182],
      [0.2, 0.25],
      [0.3, 0.3],
      [0.42, 0.318],
      [0.55, 0.3],
      [0.68, 0.245],
      [0.8, 0.165],
      [0.89, 0.09],
      [0.945, 0.045],
      [1, 0.04],
    ],
    bottom: [
      [0, 0.02],
      [0.01, 0.006],
      [0.05, 0.068],
      [0.12, 0.15],
      [0.22, 0.225],
      [0.34, 0.272],
      [0.46, 0.288],
      [0.58, 0.27],
      [0.7, 0.222],
      [0.81, 0.146],
      [0.89, 0.08],
      [0.945, 0.042],
      [1, 0.038],
    ],
  },
  base: '#b5ab70',
  bands: [
    { v0: -0.1, v1: 0.2, color: '#4f4b22', soft: 26 },
    { v0: 0.24, v1: 0.6, color: '#b0a668', soft: 40 },
    { v0: 0.72, v1: 1.1, color: '#dcd6b6', soft: 26 },
  ],
  marks: marbling,
  sheen: '#fff2c8',
  tint: '#3a3715',
  shade: '#292612',
  plump: 40,
  lateral: { v: [0.16, 0.47], color: '#4b4722', opacity: 0.45 },
  head: {
    gill: 0.33,
    mouth: [
      [0.004, 0.42],
      [0.035, 0.5],
      [0.06, 0.6],
      [0.075, 0.76],
    ],
    eye: { u: 0.185, v: 0.24, r: 27, iris: '#d8b64e' },
    jaw: [
      [0.05, 0.92],
      [0.12, 0.8],
      [0.2, 0.72],
      [0.26, 0.66],
    ],
    cheek: '#d3c88c',
  },
  tail: { ...olive, length: 200, spread: 78, fork: -0.1, rays: 14 },
  back: [
    {
      ...olive,
      from: 0.31,
      to: 0.62,
      heights: [70, 126, 138, 134, 126, 112, 92, 60],
      lean: 28,
      rays: 10,
      spines: 10,
      notch: 0.45,
    },
    { ...olive, from: 0.63, to: 0.92, heights: [34, 52, 56, 50, 40, 26], lean: 22, rays: 22 },
  ],
  belly: [
    { ...olive, from: 0.47, to: 0.6, heights: [30, 70, 66, 40], lean: 26, rays: 4, spines: 4, notch: 0.4 },
    { ...olive, from: 0.62, to: 0.92, heights: [34, 50, 54, 48, 38, 24], lean: 24, rays: 22 },
  ],
  pectoral: { ...olive, u: 0.345, v: 0.58, angle: 8, length: 90, fan: 66, point: 0.5 },
  pelvic: { ...olive, u: 0.33, v: 0.96, angle: 40, length: 240, fan: 24, point: 0.3 },
  over: (body) => threads(body, '#8b844a') + bucklers(body),
}

function mirror(body: Body): string {
  return (
    path(strip(body, 0.3, 0.62, 0.25, 0.95), { fill: '#ffffff', opacity: 0.5, filter: blur(26) }) +
    path(along(body, 0.5, 0.3, 0.95), {
      fill: 'none',
      stroke: '#b9a7c9',
      'stroke-width': 40,
      opacity: 0.25,
      filter: far(18),
    }) +
    path(along(body, 0.68, 0.3, 0.93), {
      fill: 'none',
      stroke: '#9cc4d6',
      'stroke-width': 40,
      opacity: 0.4,
      filter: far(18),
    })
  )
}

const glass = { root: '#9fadb6', edge: '#dfe7ea', ray: '#4c5a63', opacity: 0.6 }

/** Mirror dory, Zenopsis nebulosa: as tall as a John dory, scooped forehead, polished silver, no thumbprint. */
export const mirrorDory: Species = {
  ...johnDory,
  outline: {
    top: [
      [0, 0.03],
      [0.01, 0.06],
      [0.05, 0.1],
      [0.11, 0.142],
      [0.17, 0.19],
      [0.24, 0.25],
      [0.33, 0.29],
      [0.45, 0.3],
      [0.57, 0.276],
      [0.7, 0.22],
      [0.81, 0.148],
      [0.89, 0.084],
      [0.945, 0.042],
      [1, 0.036],
    ],
    bottom: [
      [0, 0.03],
      [0.01, 0.0],
      [0.05, 0.07],
      [0.12, 0.152],
      [0.22, 0.222],
      [0.34, 0.264],
      [0.46, 0.276],
      [0.58, 0.256],
      [0.7, 0.206],
      [0.81, 0.136],
      [0.89, 0.076],
      [0.945, 0.04],
      [1, 0.036],
    ],
  },
  base: '#b4c2cb',
  bands: [
    { v0: -0.1, v1: 0.14, color: '#3c4c57', soft: 26 },
    { v0: 0.1, v1: 0.34, color: '#7e919d', soft: 26 },
    { v0: 0.44, v1: 0.62, color: '#6d8392', soft: 26 },
    { v0: 0.72, v1: 1.1, color: '#eef4f6', soft: 26 },
  ],
  marks: mirror,
  sheen: '#ffffff',
  tint: '#26353f',
  shade: '#1b2a33',
  lateral: { v: [0.18, 0.47], color: '#5b6a74', opacity: 0.5 },
  head: { ...johnDory.head, eye: { u: 0.2, v: 0.25, r: 36, iris: '#d9dde0' }, cheek: '#e8eff2' },
  tail: { ...glass, length: 190, spread: 82, fork: 0.08, rays: 14 },
  back: [
    {
      ...glass,
      from: 0.32,
      to: 0.6,
      heights: [60, 116, 124, 112, 92, 70, 44],
      lean: 30,
      rays: 9,
      spines: 9,
      notch: 0.5,
    },
    { ...glass, from: 0.62, to: 0.92, heights: [26, 40, 44, 40, 34, 22], lean: 24, rays: 24 },
  ],
  belly: [{ ...glass, from: 0.62, to: 0.92, heights: [26, 40, 44, 40, 34, 22], lean: 24, rays: 24 }],
  pectoral: { ...glass, u: 0.345, v: 0.58, angle: 6, length: 86, fan: 60, point: 0.5 },
  pelvic: { ...glass, u: 0.33, v: 0.96, angle: 46, length: 170, fan: 30, point: 0.3 },
  over: (body) => threads(body, '#aab6bd') + bucklers(body),
}
