import { octopus, southernCalamari, squid } from './cephalopod.ts'
import { crab } from './crab.ts'
import { cookedPictures } from './families/cooked.ts'
import { crabPictures } from './families/crabs.ts'
import { cutPictures } from './families/cuts.ts'
import { fishPictures } from './families/fish.ts'
import { platterPictures } from './families/platter.ts'
import { prawnPictures } from './families/prawns.ts'
import { oysterPictures, shellPictures } from './families/shells.ts'
import { squidPictures } from './families/squids.ts'
import { fish } from './fish.ts'
import { fishBox } from './fish-box.ts'
import { lemon, sprig } from './garnish.ts'
import type { Ground } from './grounds.ts'
import { laid } from './layouts.ts'
import { easternRockLobster, rockLobster } from './lobster.ts'
import { oyster, pacific, sydneyRock } from './oyster.ts'
import type { Pictures } from './pictures.ts'
import { place } from './place.ts'
import { cookedPrawn, kingPrawn, prawn } from './prawn.ts'
import { scallop } from './scallop.ts'
import { musselShape, pipiShape, shell } from './shell.ts'
import { blueSwimmerCrab } from './shellfish/crabs.ts'
import { snapper } from './species/breams.ts'
import { duskyFlathead } from './species/flatheads.ts'
import { yellowtailKingfish } from './species/jacks.ts'
import { yellowfinTuna } from './species/tunas.ts'
import { sandWhiting } from './species/whitings.ts'

/** Every product picture, by what it lies on. */
export const productPictures: Record<Ground, Pictures> = {
  ice: { ...fishPictures, ...oysterPictures, ...platterPictures },
  board: { ...cutPictures, ...cookedPictures, ...shellPictures },
  counter: { ...prawnPictures, ...crabPictures, ...squidPictures },
}

const mussel = (): string =>
  shell(musselShape, { fill: '#1b2438', umbo: '#7d6a86', line: '#6d84a8', lines: 9, gloss: 0.75 })
const pipi = (): string =>
  shell(pipiShape, {
    fill: '#e6d2a8',
    umbo: '#f6ead0',
    line: '#8a6a4c',
    lines: 9,
    gloss: 0.7,
    band: '#9a7688',
  })

/** The category pictures, by what they lie on. */
export const categoryPictures: Record<Ground, Pictures> = {
  ice: {
    'boxes-on-track': (random) => fishBox(random),
    fish: (random) =>
      place(fish(snapper, random), [200, 400], 0.72, -4) +
      place(fish(duskyFlathead, random), [300, 640], 0.84, -3) +
      place(fish(sandWhiting, random), [160, 810], 0.84, 0),
    'tuna-and-kingfish': (random) =>
      place(fish(yellowfinTuna, random), [190, 440], 0.92, -5) +
      place(fish(yellowtailKingfish, random), [150, 760], 0.96, -1),
    oysters: (random) =>
      laid(
        [
          [400, 420, 1.5, -70],
          [740, 410, 1.5, -84],
          [1090, 430, 1.5, -64],
        ],
        () => oyster(pacific, random),
      ) +
      laid(
        [
          [330, 700, 1.6, -50],
          [640, 710, 1.6, -66],
          [1180, 710, 1.6, -72],
        ],
        () => oyster(sydneyRock, random),
      ) +
      place(lemon(), [900, 700], 1.1, 20) +
      place(sprig(), [880, 830], 0.9, -10),
  },
  board: {
    shellfish: (random) =>
      laid(
        [
          [330, 420, 1.2, -50],
          [470, 470, 1.25, 20],
          [300, 560, 1.25, 60],
          [440, 620, 1.3, -20],
          [310, 720, 1.3, 100],
          [520, 760, 1.3, 40],
        ],
        mussel,
      ) +
      laid(
        [
          [620, 400, 1.2, 10],
          [760, 430, 1.2, -30],
          [690, 520, 1.25, 30],
          [640, 640, 1.3, -10],
          [790, 590, 1.3, 60],
          [760, 730, 1.35, -20],
        ],
        pipi,
      ) +
      laid(
        [
          [1080, 460, 1.35, -6],
          [1120, 740, 1.5, 8],
        ],
        () => scallop(random),
      ),
  },
  counter: {
    prawns: () =>
      laid(
        [
          [300, 400, 0.56, -8],
          [720, 370, 0.56, 2],
          [180, 600, 0.62, -4],
        ],
        () => prawn(kingPrawn),
      ) +
      laid(
        [
          [620, 600, 0.64, 2],
          [950, 590, 0.6, -4],
        ],
        () => prawn(cookedPrawn),
      ) +
      place(lemon(), [420, 850], 0.7, 20),
    'crab-and-lobster': (random) =>
      place(rockLobster(easternRockLobster, random), [640, 410], 0.66, -88) +
      place(crab(blueSwimmerCrab), [960, 770], 0.5, 4),
    'squid-and-octopus': (random) =>
      place(squid(southernCalamari, random), [70, 420], 0.66, -8) +
      place(octopus(random), [1000, 640], 0.78, 8),
  },
}
