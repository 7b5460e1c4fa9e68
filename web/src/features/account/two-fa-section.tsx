import type { ProfileView } from '@befaqt/domain/api/account-api'
import { useState } from 'react'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureAlert } from './failure-alert.tsx'
import type { TwoFaTask } from './two-fa-steps.tsx'
import { useLatePart } from './use-late-part.ts'

/** The state of the second factor, and the steps that change it. */
export function TwoFaSection({ profile }: { profile: ProfileView }) {
  const [task, setTask] = useState<TwoFaTask | null>(null)
  const { part, busy, failure, dismiss, fetch } = useLatePart(() => import('./two-fa-steps.tsx'))
  if (task && part) return <part.TwoFaSteps task={task} onEnd={() => setTask(null)} />
  const start = (chosen: TwoFaTask) => {
    setTask(chosen)
    fetch()
  }
  return (
    <div className="grid gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <TwoFaAtRest profile={profile} busy={busy} onStart={start} />
    </div>
  )
}

type AtRest = { profile: ProfileView; busy: boolean; onStart: (task: TwoFaTask) => void }

function TwoFaAtRest({ profile, busy, onStart }: AtRest) {
  const disabled = !useHydrated()
  if (!profile.twoFa)
    return (
      <div className="grid justify-items-start gap-4">
        <p className="text-slate">Add a code from your phone at log-in, so a stolen password isn’t enough.</p>
        <Button variant="secondary" disabled={disabled} aria-busy={busy} onClick={() => onStart('begin')}>
          Turn on
        </Button>
      </div>
    )
  return (
    <div className="grid gap-4">
      <p>
        <Badge tone="good">On</Badge>{' '}
        <span className="text-slate">{profile.recoveryCodesLeft} recovery codes are left.</span>
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" disabled={disabled} aria-busy={busy} onClick={() => onStart('renew')}>
          New recovery codes
        </Button>
        <Button variant="outline" disabled={disabled} aria-busy={busy} onClick={() => onStart('off')}>
          Turn off
        </Button>
      </div>
    </div>
  )
}
