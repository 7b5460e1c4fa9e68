import type { ReadingLevel } from '@befaqt/domain/reading-level'
import type { RecordVerdict } from '@befaqt/provenance'

/** What a record of a kind is called on the page. Kinds: protocol §1. */
export const recordLabels: Readonly<Record<string, string>> = {
  registration: 'Fisher and box registered',
  catch: 'Catch',
  tracking: 'Reading',
  'sensor-result': 'Sensor result',
  'image-result': 'E-eye result',
  'enose-result': 'E-nose result',
  freshness: 'Freshness calculated',
  handover: 'Handed over',
  correction: 'Correction',
  sale: 'Sold',
  loss: 'Lost',
  recall: 'Recalled',
  weight: 'Weighed',
  offer: 'On sale',
  seal: 'Sealed',
}

/** How a reading came. Source: standards.md 'Signed readings'. */
export const levelLabels: Readonly<Record<ReadingLevel, string>> = {
  sensor: 'signed by the sensor',
  gateway: 'signed by a phone or gateway',
  key: 'sent with a key',
  typed: 'typed in or imported',
  scale: 'signed by its scale',
}

/** A record's state in a word with its tone. Verdicts: protocol §6. */
export const recordStates = {
  anchored: { tone: 'good', word: '✓\u00a0anchored' },
  pending: { tone: 'warn', word: 'pending' },
  withheld: { tone: 'plain', word: 'withheld' },
  broken: { tone: 'bad', word: 'broken' },
  unchecked: { tone: 'plain', word: 'unchecked' },
} as const satisfies Record<RecordVerdict, { tone: 'good' | 'warn' | 'plain' | 'bad'; word: string }>

/** What decides whether a record is grouped with its neighbours. */
type Groupable = { seq: number; kind: string }

/** Records that are shown in the table one by one, or as one row for all. */
export type RecordGroup<Row extends Groupable> = { rows: Row[]; isFolded: boolean }

/** Kinds that a device sends by the hundred, and what is computed after each. */
const ROUTINE = new Set(['tracking', 'freshness'])
/** Fewer than this are shown one by one. */
const LEAST = 4
/** In a history with more rows or groups than this, all that is left is one group. */
const MOST = 60
/** Records of an opened group that are there at once. */
export const PORTION = 50

/**
 * A history as it is told: equal records that follow each other are one group. `stateOf` tells which are equal, beside
 * being routine; a record is never in a group with one of another state.
 */
export function recordGroups<Row extends Groupable>(
  rows: readonly Row[],
  stateOf: (row: Row) => string,
): RecordGroup<Row>[] {
  const runs: Row[][] = []
  let last = ''
  for (const row of rows) {
    const key = ROUTINE.has(row.kind) ? stateOf(row) : ''
    if (key !== '' && key === last) runs.at(-1)?.push(row)
    else runs.push([row])
    last = key
  }
  const groups = runs.flatMap((run) =>
    run.length < LEAST ? run.map((row) => ({ rows: [row], isFolded: false })) : { rows: run, isFolded: true },
  )
  if (groups.length <= MOST) return groups
  const rest = groups.slice(MOST - 1).flatMap((group) => group.rows)
  return [...groups.slice(0, MOST - 1), { rows: rest, isFolded: true }]
}

/** What is shown of a group: nothing while it is closed, else the portion with the record that opened it. */
export function openedPortion<Row extends Groupable>(
  { rows, isFolded }: RecordGroup<Row>,
  opened: number,
): { shown: Row[]; before: number; after: number } {
  const at = isFolded ? rows.findIndex(({ seq }) => seq === opened) : 0
  if (at === -1) return { shown: [], before: 0, after: 0 }
  const from = Math.floor(at / PORTION) * PORTION
  const shown = rows.slice(from, from + PORTION)
  return { shown, before: from, after: rows.length - from - shown.length }
}

/** What a group holds: '99 readings and 98 freshness values', or '40 records' of all kinds. */
export function groupText(rows: readonly Groupable[]): string {
  const count = (kind: string): number => rows.filter((row) => row.kind === kind).length
  const [readings, computed] = [count('tracking'), count('freshness')]
  if (readings + computed < rows.length) return `${rows.length} records`
  return [
    readings > 0 ? `${readings} reading${readings === 1 ? '' : 's'}` : '',
    computed > 0 ? `${computed} freshness value${computed === 1 ? '' : 's'}` : '',
  ]
    .filter(Boolean)
    .join(' and ')
}
