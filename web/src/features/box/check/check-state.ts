import type { BoxResult, VerifyStep } from '@befaqt/provenance/verdict'

/** Where a proof came from: this shop, or a file that the visitor picked. */
export type ProofSource = { from: 'shop' } | { from: 'file'; name: string }

/** What a check found, by which node, in which time. */
export type Found = {
  result: BoxResult
  rpc: string
  tookMs: number
  /** The page shows what the proof says; null when the proof is not this page's. */
  pageMatches: boolean | null
}

/** How the browser's own check of a box stands. `failed`: there was no proof to check. */
export type CheckState =
  | { phase: 'waiting' }
  | { phase: 'checking'; source: ProofSource; steps: VerifyStep[] }
  | ({ phase: 'done'; source: ProofSource; steps: VerifyStep[] } & Found)
  | { phase: 'failed'; source: ProofSource; steps: VerifyStep[]; message: string }

export type CheckEvent =
  | { type: 'forget' }
  | { type: 'start'; source: ProofSource }
  | { type: 'step'; step: VerifyStep }
  | ({ type: 'done' } & Found)
  | { type: 'failed'; message: string }

/** Steps and answers count only while a check runs; a new start forgets what was found before. */
export function nextCheck(state: CheckState, event: CheckEvent): CheckState {
  if (event.type === 'forget') return { phase: 'waiting' }
  if (event.type === 'start') return { phase: 'checking', source: event.source, steps: [] }
  if (state.phase !== 'checking') return state
  if (event.type === 'step') return { ...state, steps: [...state.steps, event.step] }
  if (event.type === 'failed') return { ...state, phase: 'failed', message: event.message }
  const { type: phase, ...found } = event
  return { ...state, ...found, phase }
}

/** Only newer anchors stand against it: one may have landed after the shop handed out its proof. */
export const mayBeStale = (event: CheckEvent): boolean =>
  event.type === 'done' &&
  event.result.verdict === 'incomplete' &&
  event.result.reasons.every(({ code }) => code === 'newer_anchor')

/** `good` is said only of a history that the browser itself found unchanged and whole. */
export type VerdictTone = 'busy' | 'good' | 'waiting' | 'warn' | 'bad'

export type VerdictLine = { tone: VerdictTone; title: string; message: string }

/** The check in one line for the head of the page. Source: protocol §6.4. */
export function verdictLine(state: CheckState): VerdictLine {
  if (state.phase === 'waiting' || state.phase === 'checking')
    return {
      tone: 'busy',
      title: 'Checking the records',
      message: 'Your browser compares them with the public ledger.',
    }
  if (state.phase === 'failed') return { tone: 'warn', title: 'Not checked', message: state.message }
  const { verdict, words, upTo } = state.result
  if (state.pageMatches === false) return otherPage
  return { ...verdictTitles(upTo)[verdict], message: brokenRecords(state.result) ?? words }
}

const otherPage: VerdictLine = {
  tone: 'bad',
  title: 'Doesn’t match',
  message: 'What this page shows differs from the proven records. Don’t rely on it.',
}

const verdictTitles = (upTo: number): Record<BoxResult['verdict'], { tone: VerdictTone; title: string }> => ({
  verified: { tone: 'good', title: 'Records verified' },
  'verified-up-to':
    upTo === 0
      ? { tone: 'waiting', title: 'Not verified yet' }
      : { tone: 'waiting', title: `Verified up to record ${upTo}` },
  incomplete: { tone: 'bad', title: 'Records may be missing' },
  broken: { tone: 'bad', title: 'Altered' },
  absent: { tone: 'bad', title: 'Not recorded' },
  unreachable: { tone: 'warn', title: 'Can’t check right now' },
})

/** Names the broken records, at most three of them; null when none is. */
export function brokenRecords({ records }: BoxResult): string | null {
  const broken = records.filter(({ verdict }) => verdict === 'broken').map(({ seq }) => seq)
  if (broken.length === 0) return null
  if (broken.length > 3)
    return `${broken.length} records, from number ${broken[0]} on, do not match the ledger.`
  const names = broken.length === 1 ? `Record ${broken[0]} does` : `Records ${listed(broken)} do`
  return `${names} not match the ledger.`
}

const listed = (numbers: number[]): string => `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
