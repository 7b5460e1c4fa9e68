import { FormatError } from '../format-error.ts'
import { aboutIn, measured, openCose, resolve, single, timeText } from './cose-statement.ts'
import type { Signed } from './statement.ts'

/** What a scale signed: what it weighed of a box, and when. */
export interface Weighing extends Signed {
  readonly of: 'catch' | 'box'
  readonly grams: number
  /** The scale, as it names itself: `urn:dev:mac:0024befffe804ff1`. */
  readonly scale: string
  readonly time: string
}

/** As in `amounts.ts`, which is loaded with what adds up and not with this. */
const MAX_SCALE = 80

/** Entries of a pack, each once. */
const entries = ['box', 'count', 'of', 'mass']

/**
 * Reads the statement of a scale: COSE_Sign1 over SenML-CBOR of these four entries, of one time, which goes on from the
 * statement before it. Source: docs/provenance-format.md §13.
 * @throws FormatError with what is wrong
 */
export function readCoseWeighing(bytes: Uint8Array): Weighing {
  const { pack, ...message } = openCose(bytes)
  if (message.prev === null)
    throw new FormatError('$.protected', 'must have the hash of the statement before, or zeros')
  if (!Array.isArray(pack) || pack.length !== entries.length)
    throw new FormatError('$.payload', 'must be a list of box, count, of and mass')
  const all = resolve(pack)
  const { sensor: scale, ...about } = aboutIn(all, entries)
  const [mass, of] = [single(all, 'mass'), single(all, 'of')?.text]
  if (mass === undefined) throw new FormatError('$.payload', 'must have mass once')
  if (of !== 'catch' && of !== 'box') throw new FormatError('$.payload', 'of must be "catch" or "box"')
  if (scale.length > MAX_SCALE)
    throw new FormatError('$.payload', `must be of a scale with a name of at most ${MAX_SCALE} characters`)
  if (all.some(({ timeS }) => timeS !== mass.timeS)) throw new FormatError('$.payload', 'must be of one time')
  const time = timeText(mass.timeS)
  return {
    ...message,
    ...about,
    of,
    scale,
    grams: gramsIn(measured(mass, 'mass')),
    time,
    readings: [{ time }],
  }
}

/** Kilograms as whole grams: the double next to them, and no other. */
function gramsIn(kilograms: number): number {
  const grams = Math.floor(kilograms * 1000 + 0.5)
  if (grams < 1 || grams / 1000 !== kilograms)
    throw new FormatError('$.payload', 'mass must be whole grams, from 0.001 to 1000 kg')
  return grams
}
