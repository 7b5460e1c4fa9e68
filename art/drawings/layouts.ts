import type { Point } from './geometry.ts'
import { nest, place } from './place.ts'
import { between, type Random } from './random.ts'

/** Where one of several lies: place, size, turn. */
export type Spot = readonly [x: number, y: number, scale: number, degrees: number, flip?: boolean]

/** Several things laid out, back to front. */
export const laid = (spots: readonly Spot[], draw: (index: number) => string): string =>
  spots
    .map(([x, y, scale, degrees, flip], index) => place(draw(index), [x, y], scale, degrees, flip))
    .join('')

/** A heap: `count` things on a mound around (750, 640), the lower ones in front. */
export function heap(
  random: Random,
  count: number,
  scale: number,
  draw: (random: Random) => string,
  spread: Point = [430, 210],
  turn = 180,
): string {
  const spots = Array.from({ length: count }, (_, index): Spot => {
    const angle = index * 2.399
    const reach = Math.sqrt((index + 0.5) / count)
    return [
      750 + Math.cos(angle) * spread[0] * reach,
      610 + Math.sin(angle) * spread[1] * reach,
      scale * between(random, 0.86, 1.12),
      between(random, -turn, turn),
      random() > 0.5,
    ]
  }).sort((a, b) => a[1] - b[1])
  const front = Array.from({ length: 13 }, (_, step): Point => {
    const angle = Math.PI * (0.06 + 0.88 * (step / 12))
    return [750 + Math.cos(angle) * (spread[0] + 50), 640 + Math.sin(angle) * (spread[1] + 50)]
  })
  return laid(spots, () => draw(random)) + nest(random, front, 26)
}
