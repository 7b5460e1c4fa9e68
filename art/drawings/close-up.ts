import { fish, type Species } from './fish.ts'
import { bodyOf } from './fish-body.ts'
import type { Point } from './geometry.ts'
import { near } from './light.ts'
import { place } from './place.ts'
import { between, randomFrom } from './random.ts'
import { sheet } from './scene.ts'
import { group, path, restartIds, tag } from './svg.ts'

/** How fresh: 0 just caught, 1 spoiled. */
type Age = 0 | 0.5 | 1

const whole = { x: 0, y: 0, width: 1500, height: 1000 }

/** The dulling that comes with age: grey over the colour, yellow slime, less gleam. */
function dulling(age: Age, seed: string): string {
  const random = randomFrom(seed)
  const slime = Array.from({ length: Math.round(age * 26) }, () =>
    tag('ellipse', {
      cx: between(random, 0, 1500),
      cy: between(random, 0, 1000),
      rx: between(random, 60, 190),
      ry: between(random, 20, 60),
      fill: '#d8d3a0',
      opacity: 0.28,
      filter: near(26),
    }),
  )
  return tag('rect', { ...whole, fill: '#8d8a78', opacity: age * 0.42 }) + slime.join('')
}

/** The crosshair of the electronic eye. */
const frame = (): string =>
  path('M60 160V60H160M1340 60H1440V160M1440 840V940H1340M160 940H60V840', {
    fill: 'none',
    stroke: '#d8fff2',
    'stroke-width': 7,
    opacity: 0.85,
  }) + path('M750 478v44M728 500h44', { stroke: '#d8fff2', 'stroke-width': 4, opacity: 0.5 })

/** A fish's eye seen close: clear and bulging, then flat and cloudy, then sunken and milky. */
export function eyeCloseUp(species: Species, age: Age): string {
  restartIds()
  const clouded =
    age === 0
      ? ''
      : tag('circle', { cx: 750, cy: 500, r: 250, fill: '#dfe3da', opacity: age * 0.72, filter: near(26) })
  const sunken =
    age === 1
      ? tag('circle', {
          cx: 750,
          cy: 500,
          r: 300,
          fill: 'none',
          stroke: '#2a1c18',
          'stroke-width': 70,
          opacity: 0.45,
          filter: near(26),
        }) + tag('circle', { cx: 750, cy: 500, r: 236, fill: '#a03c2e', opacity: 0.22, filter: near(26) })
      : ''
  const { u, v, r } = species.head.eye
  return sheet(closeUp(species, [u, v], EYE_RADIUS / r, 0), clouded, sunken, dulling(age, 'eye'), frame())
}

/** How large an eye is drawn; the clouds that come with age are as large. */
const EYE_RADIUS = 266

/** A fish without ice, so large and turned so far that the place [u, v] of its body lies in the middle. */
function closeUp(species: Species, [u, v]: Point, scale: number, degrees: number): string {
  const [x, y] = bodyOf(species.outline).at(u, v)
  const turn = (degrees * Math.PI) / 180
  const [right, down] = [Math.cos(turn), Math.sin(turn)]
  const at: Point = [750 - scale * (x * right - y * down), 500 - scale * (x * down + y * right)]
  return place(fish({ ...species, ice: 0 }, randomFrom('eye')), at, scale, degrees)
}

/** Where on its flank the skin is looked at, and how large a fish is drawn then at most. */
const FLANK: Point = [0.46, 0.45]
const MOST = 11
/** A close-up shows about two fifths of a fish's depth. */
const DEPTH = 2500

/** A fish's flank seen close: bright tight scales, then dull ones, then lifting ones. */
export function skinCloseUp(species: Species, age: Age): string {
  restartIds()
  const random = randomFrom('skin')
  const lifted = Array.from({ length: Math.round(age * 60) }, () => {
    const [x, y] = [between(random, 0, 1500), between(random, 0, 1000)]
    return path(`M${x} ${y}q70 50 0 100q26 -50 0 -100z`, {
      fill: '#efe3cc',
      stroke: '#5c4a3a',
      'stroke-width': 3,
      opacity: 0.6,
    })
  })
  const gleams =
    age === 0
      ? Array.from({ length: 26 }, () =>
          tag('ellipse', {
            cx: between(random, 0, 1500),
            cy: between(random, 100, 500),
            rx: between(random, 20, 70),
            ry: between(random, 4, 10),
            fill: '#fff',
            opacity: 0.6,
            filter: near(3),
          }),
        )
      : []
  return sheet(
    closeUp(species, FLANK, Math.min(MOST, DEPTH / bodyOf(species.outline).depth(FLANK[0])), 4),
    ...gleams,
    dulling(age, 'skin'),
    group({}, ...lifted),
    frame(),
  )
}
