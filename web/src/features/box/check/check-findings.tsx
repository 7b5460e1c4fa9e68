import type { BoxResult } from '@befaqt/provenance/verdict'
import { Alert, type AlertTone } from '#web/components/alert.tsx'
import { type CheckState, type VerdictTone, verdictLine } from './check-state.ts'

const tones: Record<VerdictTone, AlertTone> = {
  busy: 'info',
  good: 'good',
  waiting: 'warn',
  warn: 'warn',
  bad: 'bad',
}

/** Reasons shown at once; a thoroughly broken bundle has hundreds. */
const MOST = 12

function Reasons({ result }: { result: BoxResult }) {
  if (result.reasons.length === 0) return null
  return (
    <ul className="mt-4 grid list-disc gap-1 pl-5">
      {result.reasons.slice(0, MOST).map(({ code, seq, anchor, words }) => (
        <li key={`${code} ${seq} ${anchor}`}>
          {seq === undefined ? (
            words
          ) : (
            <a href={`#record-${seq}`} className="link">
              {words}
            </a>
          )}
        </li>
      ))}
      {result.reasons.length > MOST && <li>and {result.reasons.length - MOST} more</li>}
    </ul>
  )
}

/** The verdict of a finished check with its reasons. */
export function CheckFindings({ state }: { state: CheckState }) {
  if (state.phase !== 'done' && state.phase !== 'failed') return null
  const { tone, title, message } = verdictLine(state)
  return (
    <div>
      <Alert tone={tones[tone]}>
        <b className="font-semibold">{title}.</b> <span className="text-ink">{message}</span>
      </Alert>
      {state.phase === 'done' && <Reasons result={state.result} />}
      {state.phase === 'done' && <Counts state={state} />}
    </div>
  )
}

function Counts({ state }: { state: Extract<CheckState, { phase: 'done' }> }) {
  const { result, rpc, source, tookMs } = state
  const proven = result.records.filter(
    ({ verdict }) => verdict === 'anchored' || verdict === 'withheld',
  ).length
  return (
    <p className="mt-4 text-slate text-sm">
      {proven} of {result.records.length} records proven by your browser in {Math.max(1, Math.round(tookMs))}{' '}
      ms, from {source.from === 'file' ? `the file ${source.name}` : 'the proof of this shop'}
      {result.box !== null && ` for box ${result.box}`}, asking <span className="break-all">{rpc}</span>
    </p>
  )
}
