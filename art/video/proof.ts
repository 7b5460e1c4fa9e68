import { house, wordmark } from '../drawings/brand.ts'
import { group, linear, path, radial, tag } from '../drawings/svg.ts'
import { ease } from './strokes.ts'

const anchor =
  'M0 -34a11 11 0 1 1 .01 0M0 -34V48M-24 -16H24M-46 16C-42 48 -20 50 0 50S42 48 46 16M-46 16l-8 14M-46 16l14 10M46 16l8 14M46 16l-14 10'

function block(x: number, lit: number): string {
  return group(
    { transform: `translate(${x} 360)` },
    tag('rect', {
      x: -92,
      y: -104,
      width: 184,
      height: 208,
      rx: 34,
      fill: '#153a44',
      stroke: '#3a727b',
      'stroke-width': 4,
    }),
    tag('rect', { x: -92, y: -104, width: 184, height: 208, rx: 34, fill: '#0f7d80', opacity: lit }),
    tag('rect', {
      x: -92,
      y: -104,
      width: 184,
      height: 208,
      rx: 34,
      fill: 'none',
      stroke: '#8ff0dd',
      'stroke-width': 5,
      opacity: lit,
    }),
    path(anchor, {
      fill: 'none',
      stroke: '#f4f8f7',
      'stroke-width': 9,
      'stroke-linecap': 'round',
      opacity: 0.35 + lit * 0.65,
      transform: 'translate(0 -6) scale(1.1)',
    }),
  )
}

const link = (x: number, lit: number): string =>
  [-22, 22]
    .map((shift) =>
      tag('rect', {
        x: x - 34 + shift,
        y: 342,
        width: 68,
        height: 36,
        rx: 18,
        fill: 'none',
        stroke: lit > 0.5 ? house.lamp : '#4b6d76',
        'stroke-width': 10,
      }),
    )
    .join('')

/** Anchors linked one to the next, lighting up as they are written. */
export function chain(t: number): string {
  const [ground, fill] = radial(640, 320, 900, [
    [0, '#123640'],
    [1, '#0a1a21'],
  ])
  const slide = -t * 70
  const blocks = Array.from({ length: 8 }, (_, index) =>
    block(110 + index * 290 + slide, ease(t, index * 0.42 - 0.5, index * 0.42 - 0.1)),
  )
  const links = Array.from({ length: 7 }, (_, index) =>
    link(255 + index * 290 + slide, ease(t, index * 0.42 - 0.2, index * 0.42 + 0.1)),
  )
  return ground + tag('rect', { width: 1280, height: 720, fill }) + links.join('') + blocks.join('')
}

/** The fish on ice, a tick drawn beside it and the name. `picture` is the fish as a data address. */
export function seal(t: number, picture: string): string {
  const drawn = ease(t, 0.4, 1.1)
  const [veil, fill] = linear(0, 0, 0, 720, [
    [0, '#0c171d', 0.75],
    [0.4, '#0c171d', 0],
    [1, '#0c171d', 0.25],
  ])
  const tick = 'M-40 4L-12 34L44 -30'
  return (
    veil +
    group(
      { transform: `translate(640 360) scale(${1.03 + t * 0.012}) translate(-640 -360)` },
      tag('image', { href: picture, width: 1280, height: 720 }),
    ) +
    tag('rect', { width: 1280, height: 720, fill }) +
    group({ transform: 'translate(72 56) scale(.8)', opacity: ease(t, 0.5, 1) }, wordmark(house.foam)) +
    group(
      { transform: `translate(1120 130) scale(${0.7 + 0.4 * drawn})`, opacity: ease(t, 0.2, 0.6) },
      tag('circle', { r: 80, fill: house.teal, stroke: '#fff', 'stroke-width': 7 }),
      path(tick, {
        fill: 'none',
        stroke: '#fff',
        'stroke-width': 17,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
        'stroke-dasharray': `${drawn * 130} 200`,
      }),
    )
  )
}
