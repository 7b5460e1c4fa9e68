import type { PasskeyView } from '@befaqt/domain/api/account-api'
import { removePasskey } from '@befaqt/domain/api/endpoints/account'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Time } from '#web/time/time.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { useLatePart } from './use-late-part.ts'

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
        <Dialog open title={`Remove ${leaving.name}?`} onClose={() => setLeaving(null)}>
          <p>It will no longer log you in. To use it again, you have to add it again.</p>
          <div className="mt-5 flex flex-wrap gap-3">
            <Button onClick={() => remove(leaving)}>Remove the passkey</Button>
            <Button variant="outline" onClick={() => setLeaving(null)}>
              Keep it
            </Button>
          </div>
        </Dialog>
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
          <p className="text-slate text-sm">
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
