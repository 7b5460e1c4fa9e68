import { crab } from '../crab.ts'
import { lemon, plate, sprig } from '../garnish.ts'
import type { Point } from '../geometry.ts'
import { laid } from '../layouts.ts'
import { cookedLobster, rockLobster } from '../lobster.ts'
import { oyster, sydneyRock } from '../oyster.ts'
import type { Pictures } from '../pictures.ts'
import { nest, place } from '../place.ts'
import { cookedPrawn, prawn } from '../prawn.ts'
import type { Random } from '../random.ts'
import { spannerCrab } from '../shellfish/crabs.ts'
import { group } from '../svg.ts'

const ice = (random: Random): string =>
  nest(
    random,
    Array.from({ length: 330 }, (): Point => {
      const [angle, reach] = [random() * 6.283, Math.sqrt(random())]
      return [750 + Math.cos(angle) * 540 * reach, 580 + Math.sin(angle) * 330 * reach]
    }).sort((a, b) => a[1] - b[1]),
    24,
  )

/** The cooked platter. */
export const platterPictures: Pictures = {
  'seafood-platter': (random) =>
    place(plate(640), [750, 590], 1) +
    ice(random) +
    group(
      { transform: 'translate(750 600) scale(1.2) translate(-735 -560)' },
      laid(
        [
          [420, 420, 0.8, -20],
          [560, 360, 0.8, 0],
          [950, 350, 0.8, 12],
          [1090, 410, 0.8, 24],
        ],
        () => oyster(sydneyRock, random),
      ) +
        place(rockLobster(cookedLobster, random), [720, 500], 0.5, -82) +
        place(crab(spannerCrab), [1060, 620], 0.42, 14) +
        laid(
          [
            [330, 560, 0.34, -10],
            [300, 660, 0.38, 4],
            [430, 700, 0.4, -4],
            [600, 700, 0.4, 6],
            [760, 690, 0.4, -6],
          ],
          () => prawn(cookedPrawn, false),
        ) +
        place(lemon(), [560, 600], 0.62, 20) +
        place(lemon(), [930, 760], 0.66, -20) +
        place(sprig(), [640, 610], 0.7, -14),
    ),
}
