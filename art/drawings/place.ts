import type { Point } from './geometry.ts'
import { lump } from './ice.ts'
import { near } from './light.ts'
import { between, type Random } from './random.ts'
import { group } from './svg.ts'

/** Puts a drawing at `at`, scaled and turned by `degrees` about its own origin; `flip` mirrors it left to right. */
export function place(drawing: string, at: Point, scale: number, degrees = 0, flip = false): string {
  const mirrored = flip ? ` scale(${-scale} ${scale})` : ` scale(${scale})`
  return group({ transform: `translate(${at[0]} ${at[1]}) rotate(${degrees})${mirrored}` }, drawing)
}

/** The class of lumps of ice that a thing lies in: on another ground they are not drawn. */
export const ICE = 'ice'

/** Lumps of ice along a line of places, small and large, so that what lies there sits in the ice. */
export function nest(random: Random, along: readonly Point[], size = 24): string {
  const lumps = along.flatMap(([x, y]): [Point, number][] =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index): [Point, number] => [
      [
        x + between(random, -1.5, 1.5) * size,
        y + between(random, 0.05 + index * 0.4, 0.7 + index * 0.5) * size,
      ],
      size * between(random, 0.4, 1.3),
    ]),
  )
  const drawn = lumps.sort((a, b) => a[0][1] - b[0][1]).map(([at, radius]) => lump(at, radius, random, 0.8))
  return group({ class: ICE, filter: near(1), opacity: 0.92 }, ...drawn)
}
