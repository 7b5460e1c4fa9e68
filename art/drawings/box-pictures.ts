import { eyeCloseUp, skinCloseUp } from './close-up.ts'
import { onDeck } from './deck.ts'
import { snapper } from './species/breams.ts'
import { johnDory } from './species/dories.ts'
import { mulloway } from './species/drums.ts'
import { duskyFlathead } from './species/flatheads.ts'
import { silverTrevally, yellowtailKingfish } from './species/jacks.ts'
import { blueMackerel } from './species/mackerels.ts'
import { yellowfinTuna } from './species/tunas.ts'
import { sandWhiting } from './species/whitings.ts'

/** Pictures inside sample boxes: catches on deck and what the electronic eye saw, each a whole 1500×1000 drawing. */
export const boxPictures: Record<string, () => string> = {
  'catch-snapper': () => onDeck('catch-snapper', snapper, 0.94),
  'catch-dusky-flathead': () => onDeck('catch-dusky-flathead', duskyFlathead, 1.06),
  'catch-yellowtail-kingfish': () => onDeck('catch-yellowtail-kingfish', yellowtailKingfish, 1.04),
  'catch-mulloway': () => onDeck('catch-mulloway', mulloway, 1.1),
  'catch-yellowfin-tuna': () => onDeck('catch-yellowfin-tuna', yellowfinTuna, 1.1),
  'catch-sand-whiting': () => onDeck('catch-sand-whiting', sandWhiting, 0.9),
  'catch-silver-trevally': () => onDeck('catch-silver-trevally', silverTrevally, 0.96),
  'catch-john-dory': () => onDeck('catch-john-dory', johnDory, 0.94),
  'catch-blue-mackerel': () => onDeck('catch-blue-mackerel', blueMackerel, 0.96),
  'eye-snapper': () => eyeCloseUp(snapper, 0),
  'skin-snapper': () => skinCloseUp(snapper, 0),
  'eye-yellowtail-kingfish': () => eyeCloseUp(yellowtailKingfish, 0.5),
  'skin-yellowtail-kingfish': () => skinCloseUp(yellowtailKingfish, 0.5),
  'eye-dusky-flathead': () => eyeCloseUp(duskyFlathead, 0),
  'skin-dusky-flathead': () => skinCloseUp(duskyFlathead, 0),
  'eye-silver-trevally': () => eyeCloseUp(silverTrevally, 0),
  'skin-silver-trevally': () => skinCloseUp(silverTrevally, 0),
  'eye-blue-mackerel': () => eyeCloseUp(blueMackerel, 1),
  'skin-blue-mackerel': () => skinCloseUp(blueMackerel, 1),
  'eye-yellowfin-tuna': () => eyeCloseUp(yellowfinTuna, 0),
  'skin-yellowfin-tuna': () => skinCloseUp(yellowfinTuna, 0),
  'eye-sand-whiting': () => eyeCloseUp(sandWhiting, 0),
  'skin-sand-whiting': () => skinCloseUp(sandWhiting, 0),
}
