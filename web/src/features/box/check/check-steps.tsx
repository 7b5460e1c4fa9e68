import { type VerifyStep, verifySteps } from '@befaqt/provenance/verdict'
import { Icon } from '#web/components/icon.tsx'
import type { CheckState } from './check-state.ts'

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
export function CheckSteps({ state }: { state: CheckState }) {
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
