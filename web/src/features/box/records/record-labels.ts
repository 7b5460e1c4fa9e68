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
  seal: 'Sealed',
}

/** How a reading came. Source: standards.md 'Signed readings'. */
export const levelLabels: Readonly<Record<ReadingLevel, string>> = {
  sensor: 'signed by the sensor',
  gateway: 'signed by a phone or gateway',
  key: 'sent with a key',
  typed: 'typed in or imported',
}

/** A record's state in a word with its tone. Verdicts: protocol §6. */
export const recordStates = {
  anchored: { tone: 'good', word: '✓\u00a0anchored' },
  pending: { tone: 'warn', word: 'pending' },
  withheld: { tone: 'plain', word: 'withheld' },
  broken: { tone: 'bad', word: 'broken' },
  unchecked: { tone: 'plain', word: 'unchecked' },
} as const satisfies Record<RecordVerdict, { tone: 'good' | 'warn' | 'plain' | 'bad'; word: string }>
