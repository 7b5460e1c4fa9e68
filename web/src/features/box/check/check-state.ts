import type { Asked } from '@befaqt/provenance/asked'
import type { BoxResult, VerifyStep } from '@befaqt/provenance/verdict'
import type { PageMatch } from './page-differences.ts'
import type { RememberedState } from './remembered-boxes.ts'

/** Where a proof came from: this shop, or a file that the visitor picked. */
export type ProofSource = { from: 'shop' } | { from: 'file'; name: string }

/** What this browser saw of the box before, whether the proof continues it, and what to remember from now on. */
export type Memory = { before: RememberedState | null; forked: boolean; now: RememberedState | null }

/** What a check found, who was asked, and how long it took. */
export type Found = {
  result: BoxResult
  asked: Asked
  tookMs: number
  /** How the page compares with the records; null when the proof is not this page's, or proves nothing. */
  page: PageMatch | null
  /** null when the proof is not this page's, or proves nothing. */
  memory: Memory | null
}

/** The state of the browser's own check of a box. `failed`: there was no proof to check. */
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

/** The only objection is newer anchors: one may have been made after the shop sent its proof. */
export const mayBeStale = (event: CheckEvent): boolean =>
  event.type === 'done' &&
  event.result.verdict === 'incomplete' &&
  event.result.reasons.every(({ code }) => code === 'newer_anchor')
