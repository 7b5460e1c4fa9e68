import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Icon } from '#web/components/icon.tsx'
import { ChangeView } from './change-view.tsx'
import { type CheckMark, judges, type LabAttack, type Outcome } from './lab-types.ts'
import { checkWords, judgeWords } from './lab-words.ts'

type Props = {
  outcome: Outcome
  isChecking: boolean
  onUndo: (attack: LabAttack) => void
  onUndoAll: () => void
}

/** The verdict on the copy, which check made it, what was changed, and who else would have noticed. */
export function OutcomePanel({ outcome, isChecking, onUndo, onUndoAll }: Props) {
  const { line, moves } = outcome
  const { tone, title, message, alert } = line
  return (
    <div className="grid grid-cols-1 content-start gap-8" aria-busy={isChecking}>
      <section
        aria-label="Verdict"
        id="verdict"
        className="scroll-mt-28 lg:sticky lg:top-14 lg:z-10 lg:bg-ground lg:pt-6 lg:pb-3 print:static"
        data-verdict={tone}
      >
        <h2 className="mb-3 text-2xl">What the box page would say</h2>
        <Alert tone={alert}>
          <b className="font-semibold">{title}.</b> <span className="wrap-anywhere text-ink">{message}</span>
        </Alert>
        {moves.length === 0 && (
          <p className="mt-3 text-slate">Nothing was tampered with yet. Choose an attack.</p>
        )}
      </section>
      {moves.length > 0 && (
        <section aria-label="What you did">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <h2 className="text-2xl">What you did</h2>
            <Button variant="outline" className="no-print" onClick={onUndoAll}>
              {moves.length === 1 ? 'Undo it' : 'Undo all'}
            </Button>
          </div>
          <ol className="grid grid-cols-1 gap-5">
            {moves.map((result) => (
              <li key={result.move.attack} className="rounded-lg border border-line bg-surface p-4">
                <ChangeView
                  result={result}
                  {...(moves.length > 1 && { onUndo: () => onUndo(result.move.attack) })}
                />
              </li>
            ))}
          </ol>
        </section>
      )}
      <Checks outcome={outcome} />
      <Sights outcome={outcome} />
    </div>
  )
}

const marks: Record<CheckMark['state'], { look: string; said: string }> = {
  done: { look: 'bg-good text-surface', said: 'holds' },
  failed: { look: 'bg-bad text-surface', said: 'failed' },
  left: { look: 'border border-edge text-slate', said: 'not needed, or not reached' },
}

/** The checks in their order; under those that failed, why. */
function Checks({ outcome: { checks, findings } }: Pick<Props, 'outcome'>) {
  return (
    <section aria-label="The checks, one by one">
      <h2 className="mb-3 text-2xl">The checks, one by one</h2>
      <ol className="grid gap-2">
        {checks.map(({ check, state }, i) => (
          <li key={check} className="flex gap-3">
            <span
              className={`mt-0.5 grid size-6 shrink-0 place-items-center rounded-full text-sm tabular-nums ${marks[state].look}`}
            >
              {state === 'left' ? (
                i + 1
              ) : (
                <Icon name={state === 'done' ? 'check' : 'close'} className="size-4" />
              )}
            </span>
            <div className={`min-w-0 ${state === 'left' ? 'text-slate' : ''}`}>
              <span className={state === 'failed' ? 'font-semibold text-bad' : ''}>
                {i + 1}. {checkWords[check]}
              </span>
              {state === 'failed' && <b className="font-semibold text-bad">: failed</b>}
              <span className="sr-only">{state !== 'failed' && `: ${marks[state].said}`}</span>
              {state === 'failed' && (
                <ul className="mt-1 grid list-disc gap-1 pl-5">
                  {findings
                    .filter((finding) => finding.check === check)
                    .map(({ text }) => (
                      <li key={text} className="wrap-anywhere">
                        {text}
                      </li>
                    ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

const sightLooks = {
  sees: { icon: 'check', look: 'bg-good text-surface' },
  untouched: { icon: 'minus', look: 'border border-edge text-slate' },
  none: { icon: 'minus', look: 'border border-edge text-slate' },
  blind: { icon: 'close', look: 'bg-warn text-surface' },
} as const

/** Who else would have noticed. */
function Sights({ outcome: { sights } }: Pick<Props, 'outcome'>) {
  if (sights === null) return null
  return (
    <section aria-label="Who would notice">
      <h2 className="mb-3 text-2xl">Who would notice</h2>
      <ul className="grid gap-2">
        {judges.map((judge) => {
          const sight = sights[judge]
          const { icon, look } = sightLooks[sight]
          return (
            <li key={judge} className="flex gap-3">
              <span className={`mt-0.5 grid size-6 shrink-0 place-items-center rounded-full ${look}`}>
                <Icon name={icon} className="size-4" />
              </span>
              <span>
                <b className="font-semibold">{judgeWords[judge].name}</b> {judgeWords[judge][sight]}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
