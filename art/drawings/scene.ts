import type { Ground } from './grounds.ts'
import { lightDefinitions } from './light.ts'
import { ICE } from './place.ts'
import { type Random, randomFrom } from './random.ts'
import { radial, restartIds, tag } from './svg.ts'

const whole = { x: -20, y: -20, width: 1540, height: 1040 }

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

/**
 * What lies on a ground, 1500×1000 with nothing behind it, and the lamplight over the whole picture. Lumps of ice are drawn
 * on ice alone.
 */
export function lyingOn(ground: Ground, slug: string, subject: (random: Random) => string): string {
  restartIds()
  const dry = ground === 'ice' ? '' : tag('style', {}, `.${ICE}{display:none}`)
  return sheet(dry, subject(randomFrom(slug)), lamp())
}
