import type { ProofBundle } from '../bundle.ts'
import { isWithheld } from '../bundle-parts.ts'
import type { RecordOfAnyKind } from '../record.ts'
import { withRecord } from './forge.ts'
import type { Scene } from './scene.ts'

/* What an attack is, and what attacks on records have in common. */

/** Why an attack can't be made on a box. */
export type Obstacle =
  | 'no_reading'
  | 'all_signed'
  | 'no_catch'
  | 'too_short'
  | 'not_anchored'
  | 'one_state'
  | 'no_weight'
  | 'no_sale'
  | 'not_sealed'
  | 'no_log'
  | 'no_other_box'

export interface Attack {
  /** Records that it can be about, by number, or why there is none; `null`: it is about no record of its own. */
  targets(scene: Scene): readonly number[] | Obstacle | null
  /** The scene after it; null: what it is about is not there any more. @param seq one of its targets */
  act(scene: Scene, seq: number): Scene | null
}

/** Records that are shown with what they say. */
export const contents = ({ bundle }: Scene): readonly RecordOfAnyKind[] =>
  bundle.records.flatMap((record) => (isWithheld(record) ? [] : [record]))

/** The record with a number; undefined: there is none, or it is withheld. */
export const recordAt = (scene: Scene, seq: number): RecordOfAnyKind | undefined =>
  contents(scene).find((record) => record.seq === seq)

/** The last record that an anchor of the bundle holds. */
export const anchoredUpTo = ({ anchors }: ProofBundle): number => anchors.at(-1)?.leaf.count ?? 0

/** These records; where there are none, why. */
export const orElse = (found: readonly number[], obstacle: Obstacle): readonly number[] | Obstacle =>
  found.length > 0 ? found : obstacle

/** Anchored records that fit, by number. */
export const anchored = (scene: Scene, fits: (record: RecordOfAnyKind) => boolean): number[] =>
  contents(scene).flatMap((record) =>
    record.seq <= anchoredUpTo(scene.bundle) && fits(record) ? [record.seq] : [],
  )

const temperatureOf = ({ kind, data }: RecordOfAnyKind): number | null =>
  kind === 'tracking' && typeof data.temperature === 'number' ? data.temperature : null

/** Does a record say a temperature? */
export const isReading = (record: RecordOfAnyKind): boolean => temperatureOf(record) !== null
/** Does a record hold the signature of a device? */
export const isSigned = ({ data }: RecordOfAnyKind): boolean => Object.hasOwn(data, 'signed')

/** The scene with another proof, and all else as it is. */
export const shown = (scene: Scene, bundle: ProofBundle): Scene => ({ ...scene, bundle })

/** What a thief would like a thermometer to have said, in °C. */
export const COLD = 0.5

/** The proof with a cold reading in the place of what was measured; null where there is no such reading. */
export function madeCold(scene: Scene, seq: number): Scene | null {
  const record = recordAt(scene, seq)
  if (record === undefined || !isReading(record)) return null
  const temperature = temperatureOf(record) === COLD ? COLD / 2 : COLD
  return shown(scene, withRecord(scene.bundle, seq, { data: { ...record.data, temperature } }))
}

/** Anchored readings, by number. */
export const readings = (scene: Scene) => orElse(anchored(scene, isReading), 'no_reading')

/** What a record says of an amount, in grams; null: it is about something else, or counts pieces. */
export const gramsOf = ({ kind, data }: RecordOfAnyKind): number | null =>
  ['weight', 'sale', 'loss'].includes(kind) && typeof data.grams === 'number' ? data.grams : null

/** Did fish leave the box for good, in grams? */
export const isSale = (record: RecordOfAnyKind): boolean =>
  record.kind === 'sale' && gramsOf(record) !== null && record.data.returned !== true

/** The proof with other grams in a record; null where it states none. */
export function withGrams(
  scene: Scene,
  seq: number,
  change: (grams: number, kind: string) => number,
): Scene | null {
  const record = recordAt(scene, seq)
  const grams = record === undefined ? null : gramsOf(record)
  if (record === undefined || grams === null) return null
  const data = { ...record.data, grams: Math.max(1, Math.round(change(grams, record.kind))) }
  return shown(scene, withRecord(scene.bundle, seq, { data }))
}
