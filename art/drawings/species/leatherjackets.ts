import type { Species } from '../fish.ts'
import { across, type Body, strip } from '../fish-body.ts'
import type { Point } from '../geometry.ts'
import { near } from '../light.ts'
import { between, type Random } from '../random.ts'
import { path, tag } from '../svg.ts'

function hide(body: Body, random: Random): string {
  const blotches = Array.from({ length: 26 }, () => {
    const [x, y] = body.at(between(random, 0.2, 0.95), between(random, 0.1, 0.85))
    return tag('ellipse', {
      cx: x,
      cy: y,
      rx: between(random, 16, 44),
      ry: between(random, 8, 18),
      fill: '#4c3f22',
      opacity: 0.3,
      filter: near(8),
    })
  })
  const lines = [0.2, 0.36, 0.52].map((v) =>
    path(
      across(body, [
        [0.25, v],
        [0.5, v + 0.03],
        [0.75, v + 0.02],
        [0.97, 0.5],
      ] as Point[]),
      { fill: 'none', stroke: '#3d3a54', 'stroke-width': 10, opacity: 0.28, filter: near(5) },
    ),
  )
  return (
    blotches.join('') +
    lines.join('') +
    path(strip(body, 0.02, 0.98, 0.02, 0.98), { fill: '#2a2212', opacity: 0.5, filter: 'url(#speckle)' }) +
    path(strip(body, 0.02, 0.98, 0.02, 0.98), { fill: '#fff6d8', opacity: 0.22, filter: 'url(#mottle)' })
  )
}

function spine(body: Body): string {
  const [x, y] = body.at(0.235, 0.03)
  const barbs = Array.from(
    { length: 9 },
    (_, step) => `M${x + 12 + step * 4.2} ${y - 34 - step * 19}l12 7l-8 6z`,
  )
  return (
    path(
      `M${x - 10} ${y + 8}Q${x + 10} ${y - 110} ${x + 56} ${y - 226}Q${x + 44} ${y - 90} ${x + 20} ${y + 8}Z`,
      { fill: '#8d7c4a', stroke: '#3a311a', 'stroke-width': 2.5 },
    ) +
    path(barbs.join(''), { fill: '#6d5f36', stroke: '#3a311a', 'stroke-width': 1 }) +
    path(`M${x - 2} ${y - 6}Q${x + 12} ${y - 110} ${x + 50} ${y - 206}`, {
      fill: 'none',
      stroke: '#fff3cf',
      'stroke-width': 4,
      opacity: 0.6,
      filter: near(1),
    })
  )
}

/** Lips and front teeth of the tiny mouth at the end of the snout. */
function snout(body: Body): string {
  const [x, y] = body.at(0.006, 0.5)
  return (
    tag('ellipse', {
      cx: x + 10,
      cy: y,
      rx: 17,
      ry: 21,
      fill: '#c9b37a',
      stroke: '#4b3d20',
      'stroke-width': 2,
    }) +
    path(`M${x - 5} ${y - 7}h15v6h-15zM${x - 5} ${y + 1}h15v6h-15z`, {
      fill: '#fffdf2',
      stroke: '#6a5f48',
      'stroke-width': 1,
    })
  )
}

const straw = { root: '#a8934f', edge: '#dcc98a', ray: '#5c4d22', opacity: 0.7 }

/** Ocean leatherjacket, Nelusetta ayraud: rough hide without scales, long snout, one spine over the eye. */
export const leatherjacket: Species = {
  outline: {
    top: [
      [0, 0.018],
      [0.02, 0.036],
      [0.07, 0.078],
      [0.14, 0.132],
      [0.22, 0.172],
      [0.32, 0.184],
      [0.46, 0.178],
      [0.6, 0.158],
      [0.72, 0.118],
      [0.84, 0.064],
      [0.92, 0.046],
      [1, 0.05],
    ],
    bottom: [
      [0, 0.018],
      [0.02, 0.024],
      [0.07, 0.05],
      [0.15, 0.096],
      [0.26, 0.146],
      [0.38, 0.176],
      [0.48, 0.178],
      [0.6, 0.156],
      [0.72, 0.114],
      [0.84, 0.062],
      [0.92, 0.045],
      [1, 0.048],
    ],
  },
  base: '#b8a063',
  bands: [
    { v0: -0.1, v1: 0.28, color: '#6d5a2d', soft: 26 },
    { v0: 0.66, v1: 1.1, color: '#ddcfa4', soft: 26 },
  ],
  marks: hide,
  sheen: '#fff0c8',
  tint: '#33280f',
  shade: '#2b210e',
  head: {
    gill: 0.27,
    mouth: [
      [0.03, 0.5],
      [0.032, 0.52],
    ],
    eye: { u: 0.205, v: 0.27, r: 22, iris: '#cda64c' },
  },
  tail: { ...straw, root: '#8f7c44', length: 165, spread: 92, fork: -0.12, rays: 14, tipLine: '#4d4124' },
  back: [{ ...straw, from: 0.53, to: 0.86, heights: [34, 78, 84, 74, 60, 46, 30], lean: 22, rays: 26 }],
  belly: [{ ...straw, from: 0.54, to: 0.86, heights: [32, 74, 80, 70, 56, 42, 28], lean: 24, rays: 26 }],
  pectoral: { ...straw, u: 0.285, v: 0.5, angle: 8, length: 80, fan: 64, point: 0.5 },
  over: (body) => spine(body) + snout(body),
}
