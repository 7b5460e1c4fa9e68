import type { RecordRow } from '@befaqt/domain/api/box-api'
import type { Reason } from '@befaqt/provenance'
import type { CheckState } from './check-state.ts'
import type { Difference } from './page-match.ts'

type Done = Extract<CheckState, { phase: 'done' }>

/** Why a check failed, in a sentence; `seq` leads to a record. */
type FailureReason = { text: string; seq?: number }

/** Every reason why nothing is confirmed, the most specific first. @param records what the page lists */
export function failureReasons(
  { result, page, memory }: Done,
  records: readonly RecordRow[],
  dayOf: (at: string) => string,
): FailureReason[] {
  if (memory?.forked && memory.before) {
    const { count, at } = memory.before
    const text = `On ${dayOf(at)} this browser verified ${count} records of this box. The records that are shown now do not continue them.`
    return [{ text }]
  }
  if (page?.kind === 'differs')
    return page.differences.map((difference) => differenceText(difference, records))
  return result.reasons
    .filter(({ code }) => !saidInLine.includes(code))
    .toSorted((a, b) => rank(a) - rank(b))
    .map((reason) => reasonText(reason, records, dayOf))
}

/** What the line above the reasons says already. */
const saidInLine: readonly string[] = ['malformed', 'other_format', 'other_box']

/** Reasons that name a record say most. */
const rank = ({ seq, anchor }: Reason): number => (seq !== undefined ? 0 : anchor !== undefined ? 1 : 2)

function reasonText(
  { code, seq, lastSeq, words }: Reason,
  records: readonly RecordRow[],
  dayOf: (at: string) => string,
): FailureReason {
  if (seq === undefined) return { text: words }
  const row = records[seq - 1]
  if (code !== 'head_mismatch' || row === undefined || row.at === '' || lastSeq !== undefined)
    return { text: words, seq }
  const what = nouns[row.kind] ?? 'a record'
  return { text: `Record ${seq}, ${what} of ${dayOf(row.at)}, was changed after it was logged.`, seq }
}

const nouns: Readonly<Record<string, string>> = {
  registration: 'the registration',
  catch: 'the catch',
  tracking: 'a temperature',
  'sensor-result': 'a sensor result',
  'image-result': 'an e-eye result',
  'enose-result': 'an e-nose result',
  freshness: 'a warmth index',
  correction: 'a correction',
}

/** What somebody in front of the fish can do about it. */
export function whatToDo({ result, page, memory, seen, source }: Done, boxID: string): string {
  const isFile = source.from === 'file'
  if (isFile && result.box !== boxID) return 'Choose the proof file of this box.'
  if (memory?.forked)
    return 'Keep both proofs: they are evidence. Only if you know that this shop was set up anew, forget what this browser saw.'
  if (page?.kind !== 'differs' && seen)
    return `${seen.tone === 'bad' ? 'Don’t rely on the figures of this page, and download the proof: it is evidence.' : 'Check again in a minute. If it stays so, ask the shop why.'} Only if you know that it was set up anew, forget what this browser saw.`
  if (page?.kind === 'older') return 'Reload the page. If it still shows fewer records, don’t rely on it.'
  if (result.verdict === 'unreachable')
    return 'Try again in a minute, or name another ledger server under ‘Check it yourself’.'
  if (result.verdict === 'incomplete')
    return 'Check again in a minute. If it stays so, ask the shop for the newer records.'
  return isFile
    ? 'Don’t rely on this file.'
    : 'Don’t rely on the figures of this page. Download the proof as evidence, and ask the seller.'
}

/** What one entry of a list is called, and by which records it is made. */
const entries: Readonly<Record<string, { one: string; many: string; kind: string | null }>> = {
  iotTracking: { one: 'Reading', many: 'Readings', kind: 'tracking' },
  imageProc: { one: 'E-eye result', many: 'E-eye results', kind: 'image-result' },
  e_nose: { one: 'E-nose result', many: 'E-nose results', kind: 'enose-result' },
  freshness: { one: 'Freshness assessment', many: 'Freshness assessments', kind: 'freshness' },
  records: { one: 'Record', many: 'Records', kind: null },
}

/** What parts of the page are called; fields of their own are named after a comma. */
const parts: Readonly<Record<string, string>> = {
  boxID: 'Box number',
  catchProv: 'Catch',
  fisher: 'Fisher',
  iotResult: 'Sensor result',
  stage: 'Stage',
  sealed: 'Sealed',
  sample: 'Sample data',
  recall: 'Recall',
  stars: 'Stars',
  freshnessIndex: 'Warmth index',
  pastItsBest: 'Warmth index used up',
  lastMeasured: 'Last temperature',
  formsHistamine: 'Histamine',
  timeLeft: 'Time left',
  timeLeftWhyNot: 'Time left',
  coldChain: 'Cold chain',
}

/** Fields whose names in the API say too little. */
const fields: Readonly<Record<string, string>> = {
  bestBy: 'best by',
  held: 'held since the last reading',
  unknownFrom: 'unknown from',
  daysUsed: 'days used',
  low: 'lower end',
  high: 'upper end',
  shelfLifeAt0: 'shelf life on ice',
  lastReadingAt: 'last reading',
  highest: 'highest temperature',
  highestAt: 'time of the highest temperature',
  minutesAbove5: 'minutes above 5 °C',
  minutesToCold: 'minutes to chill',
  longestSilenceMinutes: 'longest gap in minutes',
  usualIntervalMinutes: 'usual minutes between readings',
  recordHash: 'fingerprint',
  txHash: 'transaction',
  anchorIndex: 'anchor',
  anchoredAt: 'time of its anchor',
  at: 'time',
  by: 'author',
  iotScore: 'score',
  imgScore: 'score',
  noseScore: 'score',
  iotID: 'device',
  traderID: 'ID',
  traderName: 'name',
  companyName: 'company',
}

/** A difference in a sentence, and the record that it leads to. */
export function differenceText(
  { path, shown, proven }: Difference,
  records: readonly RecordRow[],
): { text: string; seq?: number } {
  const last = path.at(-1)
  const seq = seqOf(path, records)
  const name = nameOf(path, seq)
  if (last === 'order') return { text: `${name} are shown in another order than they were recorded.` }
  if (last === 'length') return { text: `${name}: the page shows ${shown}, the records hold ${proven}.` }
  const [a, b] = valueTexts(shown, proven)
  const correction = records.find(({ corrects }) => corrects !== undefined && corrects === seq)
  const superseded = correction === undefined ? '' : ` It was corrected by record ${correction.seq}.`
  return {
    text: `${name}: the page shows ${a}, the records say ${b}.${superseded}`,
    ...(seq !== undefined && { seq }),
  }
}

function nameOf(path: Difference['path'], seq: number | undefined): string {
  const steps = path.filter(
    (step) => step !== 'box' && step !== 'figures' && step !== 'length' && step !== 'order',
  )
  const place = steps.findLastIndex((step) => typeof step === 'string' && Object.hasOwn(entries, step))
  if (place < 0) return named(steps)
  const list = entries[String(steps[place])]
  const nth = steps[place + 1]
  if (list === undefined || typeof nth !== 'number') return list?.many ?? named(steps)
  const number = list.kind === null ? (seq ?? nth + 1) : nth + 1
  return [`${list.one} ${number}`, ...steps.slice(place + 2).map(fieldName)].join(', ')
}

const named = ([first = '', ...rest]: readonly (string | number)[]): string =>
  [parts[String(first)] ?? fieldName(first), ...rest.filter((step) => step !== 'at').map(fieldName)].join(
    ', ',
  )

const fieldName = (step: string | number): string =>
  typeof step === 'number' ? String(step + 1) : (fields[step] ?? step)

/** The record behind a value, by what the page lists. */
function seqOf(path: Difference['path'], records: readonly RecordRow[]): number | undefined {
  const ofKind = (kind: string): RecordRow[] =>
    records.filter((row) => row.kind === kind && row.state !== 'withheld')
  if (path.includes('catchProv')) return ofKind('catch').at(-1)?.seq
  if (path.includes('fisher')) return ofKind('registration').at(-1)?.seq
  const nth = path.findIndex((step) => typeof step === 'number')
  const list = entries[String(path[nth - 1])]
  const place = path[nth]
  if (list === undefined || typeof place !== 'number') return undefined
  return list.kind === null ? place + 1 : ofKind(list.kind)[place]?.seq
}

/** Both values with as few decimals as show the difference. */
function valueTexts(shown: Difference['shown'], proven: Difference['proven']): [string, string] {
  const short = [shown, proven].map((value) => valueText(value, 100))
  const [a = '', b = ''] =
    short[0] === short[1] ? [shown, proven].map((value) => valueText(value, 1e9)) : short
  return [a, b]
}

function valueText(value: Difference['shown'], steps: number): string {
  if (value === null || value === '') return 'nothing'
  if (typeof value === 'number') return String(Math.round(value * steps) / steps).replace('-', '−')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value.length > 60 ? `${value.slice(0, 59)}…` : value
}
