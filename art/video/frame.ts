import { group, restartIds, tag } from '../drawings/svg.ts'
import { harbour } from './harbour.ts'
import { boxWithTrace, map } from './journey.ts'
import { chain, seal } from './proof.ts'
import { ease } from './strokes.ts'

/** Pictures the film stands on, as data addresses, 1280×720. */
type Stills = { box: string; fish: string }

/** Length of the film in seconds; its last moment runs into its first. */
export const seconds = 12.5

const fade = 0.5

/** The film at `time` seconds, as a 1280×720 drawing. */
export function frame(time: number, stills: Stills): string {
  restartIds()
  const scenes: readonly [start: number, draw: (t: number) => string][] = [
    [0, harbour],
    [3, (t) => boxWithTrace(t, stills.box)],
    [5.8, map],
    [8.3, chain],
    [10.3, (t) => seal(t, stills.fish)],
    [seconds - fade, (t) => harbour(t - fade)],
  ]
  const seen = scenes.filter(
    ([start], index) => time >= start && time < (scenes[index + 1]?.[0] ?? seconds) + fade,
  )
  const layers = seen.map(([start, draw]) =>
    group({ opacity: start === 0 ? 1 : ease(time, start, start + fade) }, draw(time - start)),
  )
  return tag(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width: 1280, height: 720, viewBox: '0 0 1280 720' },
    ...layers,
  )
}
