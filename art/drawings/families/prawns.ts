import type { Spot } from '../layouts.ts'
import { heap, laid } from '../layouts.ts'
import type { Pictures } from '../pictures.ts'
import { cookedPrawn, kingPrawn, peeledPrawn, prawn, rawMeat, schoolPrawn } from '../prawn.ts'

const rank: readonly Spot[] = [
  [300, 400, 0.56, -8],
  [720, 370, 0.56, 2],
  [180, 600, 0.62, -6],
  [560, 590, 0.64, 2],
  [930, 570, 0.6, -4],
]

const ring: readonly Spot[] = [
  [40, 390, 0.62, -6],
  [450, 380, 0.62, 6],
  [870, 390, 0.62, -2],
  [-20, 640, 0.68, 4],
  [400, 650, 0.7, -4],
  [830, 640, 0.68, 6],
]

/** Prawns: raw, cooked, small and peeled. */
export const prawnPictures: Pictures = {
  'eastern-king-prawn': () => laid(rank, () => prawn(kingPrawn)),
  'eastern-king-prawn-2': () => laid(ring, () => peeledPrawn(rawMeat)),
  'school-prawn': (random) =>
    heap(random, 26, 0.36, () => prawn(schoolPrawn, random() > 0.5), [420, 180], 24),
  'cooked-king-prawn': () => laid(rank, () => prawn(cookedPrawn)),
}
