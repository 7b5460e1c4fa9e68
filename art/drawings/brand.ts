import { group, path, tag } from './svg.ts'

/** Colours of the house. */
export const house = {
  ink: '#14232b',
  foam: '#f4f8f7',
  teal: '#0f5c63',
  deep: '#0a3f47',
  coral: '#ef6a4b',
  lamp: '#ffc987',
} as const

/** The letters as strokes on a grid of 374×100; the Q is a fish: ring, forked tail, an eye. */
const letters = [
  'M8 14V86M8 14H24a17 17 0 0 1 0 34H8M26 48a19 19 0 0 1 0 38H8',
  'M62 64H101A20.5 20.5 0 1 0 95 79',
  'M124 86V14H160M124 50H153',
  'M168 86L196 14L224 86M177 63H215',
  'M316 14H368M342 14V86',
]

const ring = 'M263 15a35.5 35.5 0 1 1 -.01 0z'

const tailFork = 'M285 74L316 84M285 74L297 104'

/** The Q alone, its ring centred on (263, 50.5). */
const fishLetter = (ink: string): string =>
  path(`${ring}${tailFork}`, { stroke: ink }) +
  tag('circle', { cx: 250, cy: 43, r: 7.5, fill: house.coral, stroke: 'none' })

const strokes = { fill: 'none', 'stroke-width': 13, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }

/** The wordmark, 374×112 units, in one ink. */
export const wordmark = (ink: string): string =>
  group(strokes, path(letters.join(''), { stroke: ink }), fishLetter(ink))

/** The wordmark as a file that follows the reader's light or dark system. */
export function wordmarkFile(ink: string, inkInDark = ink): string {
  const adaptive =
    ink === inkInDark ? '' : `<style>@media (prefers-color-scheme:dark){.ink{stroke:${inkInDark}}}</style>`
  const drawn =
    ink === inkInDark
      ? wordmark(ink)
      : wordmark(ink).replaceAll(`stroke="${ink}"`, `class="ink" stroke="${ink}"`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 4 378 108" role="img"><title>BeFAQT</title>${adaptive}${drawn}</svg>\n`
}

/** The fish of the mark, a tick on its flank, about 180×115 units around (0, 0). */
const markFish = (): string =>
  path('M-86 4C-64 -62 18 -66 54 -14L94 -48C86 -16 86 16 94 46L54 14C18 68 -64 66 -86 4Z', {
    fill: house.foam,
    stroke: house.foam,
    'stroke-width': 8,
  }) +
  path('M-22 4L-2 25L31 -17', { stroke: house.teal, 'stroke-width': 14 }) +
  tag('circle', { cx: -52, cy: -8, r: 9.5, fill: house.coral, stroke: 'none' })

/** The mark: a fish on deep teal. `margin` 0 to 1 shrinks it, `rounded` false fills the square for masks. */
export function markFile(margin = 0, rounded = true): string {
  const at = `translate(248 256) scale(${2.2 * (1 - margin)})`
  const ground = tag('rect', { width: 512, height: 512, rx: rounded ? 112 : 0, fill: house.teal })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" role="img"><title>BeFAQT</title>${ground}${group({ ...strokes, transform: at }, markFish())}</svg>\n`
}
