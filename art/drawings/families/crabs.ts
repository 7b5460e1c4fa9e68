import { crab } from '../crab.ts'
import { balmainBug, bug, easternRockLobster, rockLobster } from '../lobster.ts'
import type { Pictures } from '../pictures.ts'
import { nest, place } from '../place.ts'
import type { Random } from '../random.ts'
import { blueSwimmerCrab, mudCrab, spannerCrab } from '../shellfish/crabs.ts'

const front = (random: Random, y: number): string =>
  nest(
    random,
    Array.from({ length: 8 }, (_, step) => [500 + step * 72, y + Math.sin(step) * 12] as const),
    26,
  )

/** Crabs, bugs and lobster, seen from above. */
export const crabPictures: Pictures = {
  'mud-crab': (random) => place(crab(mudCrab), [750, 560], 0.94, -4) + front(random, 722),
  'blue-swimmer-crab': (random) => place(crab(blueSwimmerCrab), [750, 570], 0.92, 4) + front(random, 724),
  'spanner-crab': (random) => place(crab(spannerCrab), [750, 610], 0.98, -6) + front(random, 850),
  'balmain-bug': (random) =>
    place(bug(balmainBug, random), [500, 500], 0.72, -14) +
    place(bug(balmainBug, random), [990, 520], 0.72, 12),
  'eastern-rock-lobster': (random) => place(rockLobster(easternRockLobster, random), [700, 570], 0.86, -80),
}
