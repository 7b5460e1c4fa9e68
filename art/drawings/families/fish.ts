import { fish, type Species } from '../fish.ts'
import { laid, type Spot } from '../layouts.ts'
import type { Pictures } from '../pictures.ts'
import { snapper, yellowfinBream } from '../species/breams.ts'
import { johnDory, mirrorDory } from '../species/dories.ts'
import { mulloway } from '../species/drums.ts'
import { duskyFlathead } from '../species/flatheads.ts'
import { silverTrevally, yellowtailKingfish } from '../species/jacks.ts'
import { leatherjacket } from '../species/leatherjackets.ts'
import { australianSardine, blueMackerel, spanishMackerel } from '../species/mackerels.ts'
import { atlanticSalmon, blueEyeTrevalla, tailor } from '../species/swift.ts'
import { albacore, bigeyeTuna, yellowfinTuna } from '../species/tunas.ts'
import { easternSeaGarfish, sandWhiting } from '../species/whitings.ts'

const one = (species: Species, x = 150, y = 590, scale = 0.95, degrees = -2): Pictures[string] =>
  lie(species, [[x, y, scale, degrees]])

const lie =
  (species: Species, spots: readonly Spot[]): Pictures[string] =>
  (random) =>
    laid(spots, () => fish(species, random))

/** Whole fish, head to the left. */
export const fishPictures: Pictures = {
  snapper: one(snapper, 140, 600, 0.97),
  'yellowfin-bream': one(yellowfinBream, 140, 590, 0.98),
  'dusky-flathead': lie(duskyFlathead, [
    [130, 480, 1.04, -4],
    [150, 720, 1.06, -1],
  ]),
  'yellowtail-kingfish': one(yellowtailKingfish, 120, 590, 1.02),
  'silver-trevally': one(silverTrevally, 140, 590, 0.98),
  mulloway: one(mulloway, 120, 600, 1.08, -3),
  'john-dory': one(johnDory, 190, 620, 0.92, 0),
  'mirror-dory': one(mirrorDory, 190, 620, 0.93, 0),
  'yellowfin-tuna': one(yellowfinTuna, 110, 590, 1.08),
  'bigeye-tuna': one(bigeyeTuna, 110, 590, 1.06),
  albacore: one(albacore, 120, 590, 1.06),
  'blue-mackerel': lie(blueMackerel, [
    [150, 450, 0.98, -4],
    [190, 720, 1.02, 0],
  ]),
  'spanish-mackerel': one(spanishMackerel, 100, 600, 1.12, -3),
  'australian-sardine': lie(australianSardine, [
    [170, 370, 0.56, -8],
    [760, 400, 0.56, -5],
    [120, 570, 0.6, -6],
    [760, 590, 0.6, -2],
    [420, 770, 0.64, -4],
  ]),
  'sand-whiting': lie(sandWhiting, [
    [190, 400, 0.86, -6],
    [150, 590, 0.9, -3],
    [220, 780, 0.94, 0],
  ]),
  'eastern-sea-garfish': lie(easternSeaGarfish, [
    [290, 380, 0.9, -7],
    [280, 510, 0.92, -4],
    [290, 640, 0.94, -2],
    [310, 780, 0.97, 0],
  ]),
  tailor: one(tailor, 120, 590, 1.06, -3),
  'blue-eye-trevalla': one(blueEyeTrevalla, 130, 590, 1.02),
  'atlantic-salmon': one(atlanticSalmon, 120, 590, 1.1, -3),
  leatherjacket: one(leatherjacket, 150, 620, 1, 0),
}
