import type { CheckState } from './check-state.ts'

type Done = Extract<CheckState, { phase: 'done' }>

/**
 * What else a shopper should know of records that were verified: how long after the fact they were logged,
 * and whether this browser saw them before. Source: protocol §6.5 and §7.
 */
export function provenNotes({ result, memory, asked }: Done, dayOf: (at: string) => string): string {
  const notes = [askedNote(asked), latenessNote(result), signatureNote(result), memoryNote(memory, dayOf)]
  return notes.filter(Boolean).join(' ')
}

/** Whom the browser asked, where that was somebody else than the shop. */
const askedNote = ({ grade, hosts }: Done['asked']): string =>
  grade === 'other' ? `Asked: ${hosts.join(' and ')}.` : ''

function latenessNote({ lateness: { largestS, overAnHour }, records, reasons }: Done['result']): string {
  const ahead = reasons.filter(({ code }) => code === 'dated_ahead').length
  if (ahead > 0)
    return `${ahead} of ${records.length} records ${ahead === 1 ? 'is' : 'are'} dated later than the ledger logged them.`
  if (largestS === null) return ''
  if (overAnHour === 0) return `Each was logged within ${span(largestS)} of what it records.`
  const anchors = new Set(records.flatMap(({ anchor }) => anchor?.index ?? []))
  const atOnce = anchors.size === 1 && overAnHour > 1 ? ', all at once' : ''
  const count = overAnHour === records.length ? `All ${overAnHour}` : `${overAnHour} of ${records.length}`
  return `${count} were logged more than an hour after what they record${atOnce}, the latest ${span(largestS)} after.`
}

/** What was signed, by whom, as far as this browser found the signatures good. */
function signatureNote({ signatures: { sensor, gateway, unconfirmed } }: Done['result']): string {
  const good = [
    ...(sensor > 0 ? [`${sensor} signed by the sensor itself`] : []),
    ...(gateway > 0 ? [`${gateway} signed by a phone or gateway`] : []),
  ]
  const open = unconfirmed > 0 ? [`${unconfirmed} with a signature that could not be confirmed yet`] : []
  const parts = [...good, ...open]
  return parts.length === 0 ? '' : `Of the readings: ${parts.join(', ')}.`
}

/** Seconds in the unit that people would use. */
export function span(seconds: number): string {
  const units: [size: number, name: string][] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ]
  const [size, name] = units.find(([size]) => seconds >= 2 * size) ?? [1, 'second']
  const count = Math.max(1, Math.round(seconds / size))
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

function memoryNote(memory: Done['memory'], dayOf: (at: string) => string): string {
  return memory?.before ? `They continue what this browser verified on ${dayOf(memory.before.at)}.` : ''
}
