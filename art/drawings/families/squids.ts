import { arrowSquid, giantCuttlefish, octopus, southernCalamari, squid } from '../cephalopod.ts'
import type { Point } from '../geometry.ts'
import type { Pictures } from '../pictures.ts'
import { nest, place } from '../place.ts'
import type { Random } from '../random.ts'

const front = (random: Random, y: number): string =>
  nest(
    random,
    Array.from({ length: 9 }, (_, step): Point => [320 + step * 74, y + Math.sin(step) * 14]),
    26,
  )

/** Squid, cuttlefish and octopus. */
export const squidPictures: Pictures = {
  'southern-calamari': (random) =>
    place(squid(southernCalamari, random), [190, 570], 0.98, -4) + front(random, 790),
  'arrow-squid': (random) =>
    place(squid(arrowSquid, random), [190, 460], 0.92, -3) +
    place(squid(arrowSquid, random), [230, 720], 0.96, 3),
  cuttlefish: (random) => place(squid(giantCuttlefish, random), [240, 580], 1.02, -3) + front(random, 820),
  octopus: (random) => place(octopus(random), [790, 530], 0.98, 6),
}
