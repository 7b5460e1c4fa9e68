import { iceField } from './ice.ts'
import { lightDefinitions, near } from './light.ts'
import { type Random, randomFrom } from './random.ts'
import { linear, path, radial, restartIds, tag } from './svg.ts'

const whole = { x: -20, y: -20, width: 1540, height: 1040 }

function slate(): string {
  const [depth, slateFill] = linear(0, 0, 0, 1000, [
    [0, '#0f1a21'],
    [0.3, '#1d2d36'],
    [1, '#182630'],
  ])
  return (
    depth +
    tag('rect', { ...whole, fill: slateFill }) +
    tag('rect', { ...whole, fill: '#7f9aa6', filter: 'url(#streak)', opacity: 0.13 }) +
    tag('rect', { ...whole, fill: '#000', filter: 'url(#cloud)', opacity: 0.3 })
  )
}

/** The warm lamp from the upper left and the cool first light from the right, over everything. */
function lamp(): string {
  const [warm, warmFill] = radial(250, -60, 1150, [
    [0, '#ffca82', 0.5],
    [0.35, '#ffbe74', 0.17],
    [1, '#ffb566', 0],
  ])
  const [cool, coolFill] = radial(1600, 1100, 1000, [
    [0, '#0d2a3c', 0.5],
    [0.6, '#123246', 0.16],
    [1, '#123246', 0],
  ])
  return warm + cool + tag('rect', { ...whole, fill: coolFill }) + tag('rect', { ...whole, fill: warmFill })
}

/** An empty 1500×1000 drawing with the filters of the house. */
export const sheet = (...content: string[]): string =>
  tag(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 1500, height: 1000, viewBox: '0 0 1500 1000' },
    lightDefinitions(),
    ...content,
  )

/** The empty counter: slate and a heap of crushed ice, 1500×1000. The same seed gives the same heap. */
export function counter(seed: string): string {
  restartIds()
  const random = randomFrom(seed)
  const wave = random() * 6
  const edge = (x: number) => 212 + Math.sin(x / 170 + wave) * 13 + Math.sin(x / 61 + wave * 2) * 7
  const [bed, bedFill] = linear(0, 180, 0, 1000, [
    [0, '#8fb0bd'],
    [0.35, '#b9d1db'],
    [1, '#c9dde5'],
  ])
  const heap = Array.from(
    { length: 32 },
    (_, step) => `L${step * 50 - 20} ${edge(step * 50 - 20).toFixed(0)}`,
  ).join('')
  const outline = `M-20 1020${heap}L1540 1020Z`
  return sheet(
    slate(),
    path(outline, { fill: '#02080c', opacity: 0.6, filter: near(18), transform: 'translate(0 -8)' }),
    bed,
    path(outline, { fill: bedFill, filter: near(3) }),
    iceField(random, 205, 1040, edge),
    path(outline, { fill: '#2f6076', filter: 'url(#cloud)', opacity: 0.28 }),
  )
}

/** What lies on the ice, 1500×1000 with a clear ground, and the lamplight over the whole picture. */
export function onCounter(slug: string, subject: (random: Random) => string): string {
  restartIds()
  return sheet(subject(randomFrom(slug)), lamp())
}
