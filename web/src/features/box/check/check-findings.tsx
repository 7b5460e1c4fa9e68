import { Suspense, useEffect, useRef } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { useVerdict } from '../head/use-verdict.ts'
import type { CheckState } from './check-state.ts'
import { fileBesidePage } from './file-beside-page.ts'
import { usePageCheck } from './page-check.tsx'
import { alertTones, verdictLine } from './verdict-line.ts'

const FailureDetails = lazyPart(() => import('./failure-details.tsx'))

/** The verdict of a finished check with its reasons. */
export function CheckFindings({ boxID, state }: { boxID: string; state: CheckState }) {
  const { shop } = usePageCheck()
  const ofPage = useVerdict() // with its files, as in the head
  const place = useRef<HTMLDivElement>(null)
  const isFile = state.phase !== 'waiting' && state.source.from === 'file'
  useEffect(() => {
    if (isFile && (state.phase === 'done' || state.phase === 'failed'))
      place.current?.scrollIntoView({ block: 'nearest' })
  }, [isFile, state])
  if (state.phase !== 'done' && state.phase !== 'failed') return null
  const beside = fileBesidePage(state, shop)
  const { tone, title, message } = beside ?? (isFile ? verdictLine(state, boxID) : ofPage)
  return (
    <div ref={place} className="scroll-my-24">
      <Alert tone={alertTones[tone]}>
        <b className="font-semibold">{title}.</b> <span className="text-ink">{message}</span>
        {state.phase === 'done' && beside === null && (tone === 'bad' || tone === 'warn') && (
          <Suspense>
            <FailureDetails state={state} most={12} />
          </Suspense>
        )}
      </Alert>
      {state.phase === 'done' && <Counts state={state} />}
    </div>
  )
}

function Counts({ state }: { state: Extract<CheckState, { phase: 'done' }> }) {
  const { result, asked, source, tookMs } = state
  const proven = result.records.filter(
    ({ verdict }) => verdict === 'anchored' || verdict === 'withheld',
  ).length
  return (
    <p className="mt-4 text-slate text-sm">
      {proven} of {result.records.length} records proven by your browser in {Math.max(1, Math.round(tookMs))}{' '}
      ms, from {source.from === 'file' ? `the file ${source.name}` : 'the proof of this shop'}
      {result.box !== null && ` for box ${result.box}`}, asking{' '}
      <span className="break-all">{asked.hosts.join(' and ') || 'nobody'}</span>
      {asked.chainId !== null && `, which says that it is chain ${asked.chainId}`}
    </p>
  )
}
