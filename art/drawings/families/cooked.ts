import { type Crab, crab } from '../crab.ts'
import { filletFlesh } from '../cuts.ts'
import { searedFlesh } from '../flesh.ts'
import { lemon, sprig } from '../garnish.ts'
import { laid } from '../layouts.ts'
import { near } from '../light.ts'
import { cookedLobster, rockLobster } from '../lobster.ts'
import type { Pictures } from '../pictures.ts'
import { place } from '../place.ts'
import type { Random } from '../random.ts'
import { blueSwimmerCrab } from '../shellfish/crabs.ts'
import { blob, oval, raised, surface } from '../solid.ts'
import { inside, path, tag } from '../svg.ts'

/** A fillet from the pan: a golden crust, darkest where it lay longest. */
const friedFillet = (): string =>
  filletFlesh(searedFlesh, 0.94) +
  tag('ellipse', { cx: 260, cy: 14, rx: 200, ry: 62, fill: '#7a3d10', opacity: 0.34, filter: near(26) }) +
  tag('ellipse', { cx: 560, cy: -6, rx: 130, ry: 40, fill: '#7a3d10', opacity: 0.3, filter: near(18) })

/** A scallop without its shell, seared on the side that shows. */
function searedScallop(random: Random): string {
  const side = blob(oval(random, 92, 84, 0.03))
  const crust = blob(oval(random, 80, 70, 0.05))
  return (
    raised(26, 20, surface(side, { fill: '#f7ead0', dark: '#c9a877', strength: 0.25, grain: 'streak' })) +
    raised(
      7,
      0,
      path(crust, { fill: '#d39a54' }),
      inside(
        crust,
        tag('circle', { cx: 6, cy: 6, r: 50, fill: '#8c4c18', opacity: 0.62, filter: near(18) }),
        path(crust, { fill: '#5a2a08', filter: 'url(#mottle)', opacity: 0.42 }),
        path(crust, { fill: 'none', stroke: '#f3cf95', 'stroke-width': 12, opacity: 0.7, filter: near(5) }),
      ),
    ) +
    tag('ellipse', {
      cx: -34,
      cy: -36,
      rx: 24,
      ry: 8,
      fill: '#fff',
      opacity: 0.75,
      filter: near(2),
      transform: 'rotate(-34 -34 -36)',
    })
  )
}

/** What heat makes of a crab's shell. */
const cookedCrab: Crab = {
  ...blueSwimmerCrab,
  skin: { fill: '#d9532a', dark: '#7a1c08', light: '#ffc09a', grain: 'mottle', strength: 0.32 },
  limbs: { fill: '#e8723c', dark: '#8a2c10', light: '#ffd3ae', grain: 'mottle', strength: 0.28 },
  tip: '#a8301a',
}

/** What is ready to eat: the second pictures of products that are sold raw. */
export const cookedPictures: Pictures = {
  'john-dory-2': () =>
    place(friedFillet(), [240, 420], 1.16, -4) +
    place(friedFillet(), [260, 690], 1.18, 2) +
    place(lemon(), [1260, 800], 0.8, 16) +
    place(sprig(), [200, 860], 0.9, -8),
  'scallop-2': (random) =>
    laid(
      [
        [420, 410, 1.3, 0],
        [730, 390, 1.28, 0],
        [1040, 420, 1.3, 0],
        [360, 680, 1.42, 0],
        [690, 680, 1.42, 0],
        [1020, 700, 1.44, 0],
      ],
      () => searedScallop(random),
    ) +
    place(lemon(), [1280, 800], 0.74, 20) +
    place(sprig(), [440, 860], 0.9, -10),
  'blue-swimmer-crab-2': () =>
    place(crab(cookedCrab), [750, 560], 0.88, 4) + place(lemon(), [1180, 840], 0.72, 20),
  'eastern-rock-lobster-2': (random) =>
    place(rockLobster(cookedLobster, random), [700, 560], 0.8, -80) +
    place(lemon(), [420, 840], 0.72, 20) +
    place(sprig(), [500, 870], 0.8, -10),
}
