import { urlOf } from '@befaqt/domain/api/endpoint'
import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { type VerifyStep, verifySteps } from '@befaqt/provenance/verdict'
import { type FormEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button, buttonClass } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { Icon } from '#web/components/icon.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { rpcProblem } from './check-proof.ts'
import { alertTones, type CheckState, fileBesidePage, verdictLine } from './check-state.ts'
import { keptNodes } from './kept-by-browser.ts'
import { type Check, usePageCheck, useVerdict } from './page-check.tsx'
import { PolicyField } from './policy-field.tsx'

/** The steps of the newest check with what it found, and what can be done. */
export default function CheckBench({ boxID }: { boxID: string }) {
  const check = usePageCheck()
  const { shop, file } = check
  return (
    <div className="grid gap-10 lg:grid-cols-2">
      <div className="grid content-start gap-6">
        <CheckSteps state={file ?? shop} />
        {file === null && <CheckFindings boxID={boxID} state={shop} />}
      </div>
      <CheckControls boxID={boxID} check={check}>
        {file && <CheckFindings boxID={boxID} state={file} />}
      </CheckControls>
    </div>
  )
}

const FailureDetails = lazyPart(() => import('./failure-details.tsx'))

/** The verdict of a finished check with its reasons. */
function CheckFindings({ boxID, state }: { boxID: string; state: CheckState }) {
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
    <p className="mt-4 muted">
      {proven} of {result.records.length} records proven by your browser in {Math.max(1, Math.round(tookMs))}{' '}
      ms, from {source.from === 'file' ? `the file ${source.name}` : 'the proof of this shop'}
      {result.box !== null && ` for box ${result.box}`}, asking{' '}
      <span className="break-all">{asked.hosts.join(' and ') || 'nobody'}</span>
      {asked.chainId !== null && `, which says that it is chain ${asked.chainId}`}
    </p>
  )
}

type Props = { boxID: string; check: Check; children: ReactNode }

/**
 * Check again, also with nodes of the visitor's; download the proof, and check a downloaded one.
 * @param children what the check of a file found
 */
function CheckControls({ boxID, check, children }: Props) {
  const [url, setUrl] = useState(() => keptNodes()[0] ?? '')
  const [second, setSecond] = useState(() => keptNodes()[1] ?? '')
  const [problems, setProblems] = useState<readonly (string | null)[]>([])
  const busy = check.shop.phase === 'checking'
  const checked = (run: (nodes: string[]) => void) => {
    const found = [url, second].map(rpcProblem)
    setProblems(found)
    if (found.every((problem) => problem === null))
      run([url, second].map((node) => node.trim()).filter((node) => node !== ''))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    checked(check.checkShop)
  }
  return (
    <form onSubmit={submit} noValidate className="grid content-start gap-5 noscript:hidden">
      <InputField
        label="Check against another ledger server (advanced)"
        type="url"
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        error={problems[0] ?? undefined}
        hint="Any JSON-RPC node of the same chain. One on another host than the shop’s makes the check independent. Blank: the one that the shop names."
        spellCheck={false}
        autoComplete="off"
      />
      <InputField
        label="And a second one, which has to agree (optional)"
        type="url"
        value={second}
        onChange={(event) => setSecond(event.target.value)}
        error={problems[1] ?? undefined}
        spellCheck={false}
        autoComplete="off"
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="secondary" aria-disabled={busy}>
          {busy ? 'Checking…' : 'Check again'}
        </Button>
        <a
          href={urlOf(readProof, { params: { boxID }, query: { scales: '1' } })}
          download={`box-${boxID}.proof.json`}
          className={buttonClass('outline')}
        >
          Download the proof
        </a>
      </div>
      <PolicyField onChange={() => checked(check.checkShop)} />
      <InputField
        label="Check a saved proof file"
        type="file"
        accept=".json,application/json"
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file) checked((nodes) => check.checkFile(file, nodes))
        }}
      />
      {children}
    </form>
  )
}

const titles: Record<VerifyStep['name'], string> = {
  read: 'Get the records',
  rebuild: 'Fingerprint each one',
  prove: 'Match fingerprints to the anchors',
  ledger: 'Compare with the ledger',
  continuity: 'Compare each anchor with the state before it',
  complete: 'Look for missing records',
}

function Step({
  name,
  step,
  running,
}: {
  name: VerifyStep['name']
  step: VerifyStep | undefined
  running: boolean
}) {
  const mark = step
    ? step.ok
      ? 'bg-good text-surface'
      : 'bg-bad text-surface'
    : 'border border-edge text-slate'
  return (
    <li className="flex gap-3">
      <span className={`mt-0.5 grid size-6 shrink-0 place-items-center rounded-full ${mark}`}>
        {step && <Icon name={step.ok ? 'check' : 'close'} className="size-4" />}
      </span>
      <span>
        <b className="font-semibold">{titles[name]}</b>
        <span className="sr-only">{step ? (step.ok ? ': done. ' : ': failed. ') : ': not done. '}</span>
        <span className="block text-slate">{step?.words ?? (running ? 'Working…' : 'Not reached.')}</span>
      </span>
    </li>
  )
}

/** The stages of the check, each ticked off as it ends. */
function CheckSteps({ state }: { state: CheckState }) {
  if (state.phase === 'waiting') return null
  const running = state.phase === 'checking'
  return (
    <ol aria-label="Steps of the check" className="grid gap-3">
      {verifySteps.map((name, i) => (
        <Step
          key={name}
          name={name}
          step={state.steps.find((step) => step.name === name)}
          running={running && i === state.steps.length}
        />
      ))}
    </ol>
  )
}
