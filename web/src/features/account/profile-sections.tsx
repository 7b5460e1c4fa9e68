import type { PasskeyView, ProfileView } from '@befaqt/domain/api/account-api'
import { removePasskey } from '@befaqt/domain/api/endpoints/account'
import { Suspense, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Time } from '#web/time/time.tsx'
import { FailureAlert } from './account-form.tsx'
import type { TwoFaTask } from './two-fa-steps.tsx'
import { useLatePart } from './use-late-part.ts'

type State = 'closed' | 'open' | 'done'

/** Changes the password; all other sessions end. */
export function PasswordSection({ email }: { email: string }) {
  const [state, setState] = useState<State>('closed')
  const hydrated = useHydrated()
  const { part, busy, failure, dismiss, fetch } = useLatePart(() => import('./password-form.tsx'))
  if (state === 'open' && part)
    return (
      <part.PasswordForm email={email} onDone={() => setState('done')} onCancel={() => setState('closed')} />
    )
  const open = () => {
    setState('open')
    fetch()
  }
  return (
    <div className="grid justify-items-start gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      {state === 'done' && (
        <Alert tone="good">The password was changed. Everywhere else you have been logged out.</Alert>
      )}
      <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={open}>
        Change password
      </Button>
    </div>
  )
}

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

const RemovePasskey = lazyPart(() => import('./remove-passkey.tsx'))

/** Passkeys of the account: listed, added, removed. */
export function PasskeySection({ passkeys }: { passkeys: PasskeyView[] }) {
  const [adding, setAdding] = useState(false)
  const { busy, failure, dismiss, run } = useRevalidatingCall()
  const form = useLatePart(() => import('./add-passkey.tsx'))
  const add = () => {
    setAdding(true)
    form.fetch()
  }
  const hydrated = useHydrated()
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('remove')
  const [leaving, setLeaving] = useState<PasskeyView | null>(null)
  const remove = ({ id }: PasskeyView) => {
    setLeaving(null)
    removing(
      passkeys.map((passkey) => passkey.id),
      id,
    )
    void run(() => callApi(removePasskey, { params: { id } }))
  }
  const usable = hydrated && typeof window.PublicKeyCredential === 'function'
  return (
    <div ref={place} className="grid gap-4">
      <p className="text-slate">Log in with your finger, face or device PIN instead of the password.</p>
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <FailureAlert failure={form.failure} onDismiss={form.dismiss} />
      {passkeys.length > 0 && (
        <PasskeyList passkeys={passkeys} disabled={!hydrated} busy={busy} onRemove={setLeaving} />
      )}
      {leaving && (
        <Suspense>
          <RemovePasskey
            name={leaving.name}
            onRemove={() => remove(leaving)}
            onClose={() => setLeaving(null)}
          />
        </Suspense>
      )}
      {adding && form.part ? (
        <form.part.AddPasskey onEnd={() => setAdding(false)} />
      ) : (
        <Button
          variant="outline"
          data-empty
          className="justify-self-start"
          disabled={!usable}
          aria-busy={form.busy}
          onClick={add}
        >
          Add a passkey
        </Button>
      )}
    </div>
  )
}

type ListProps = {
  passkeys: PasskeyView[]
  disabled: boolean
  busy: boolean
  onRemove: (passkey: PasskeyView) => void
}

const PasskeyList = ({ passkeys, disabled, busy, onRemove }: ListProps) => (
  <ul className="divide-y divide-line border-line border-y">
    {passkeys.map((passkey) => (
      <li key={passkey.id} data-row={passkey.id} className="flex items-center justify-between gap-4 py-3">
        <div className="min-w-0">
          <p className="font-semibold">{passkey.name}</p>
          <p className="muted">
            Added <Time at={passkey.createdAt} />
            {passkey.lastUsedAt && (
              <>
                , last used <Time at={passkey.lastUsedAt} />
              </>
            )}
          </p>
        </div>
        <Button
          variant="outline"
          data-action="remove"
          disabled={disabled}
          aria-disabled={busy}
          aria-label={`Remove ${passkey.name}`}
          onClick={() => onRemove(passkey)}
        >
          Remove
        </Button>
      </li>
    ))}
  </ul>
)
