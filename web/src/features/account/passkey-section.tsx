import type { PasskeyView } from '@befaqt/domain/api/account-api'
import { removePasskey } from '@befaqt/domain/api/endpoints/passkeys'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Time } from '#web/time/time.tsx'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { OwnPasswordField } from './password-field.tsx'
import { schemaOf } from './schema-of.ts'
import { useOneCall } from './use-one-call.ts'

/** Passkeys of the account: listed, added, removed. */
export function PasskeySection({ passkeys }: { passkeys: PasskeyView[] }) {
  const [adding, setAdding] = useState(false)
  const { busy, failure, dismiss, run } = useOneCall()
  const hydrated = useHydrated()
  const usable = hydrated && typeof window.PublicKeyCredential === 'function'
  return (
    <div className="grid gap-4">
      <p className="text-slate">Log in with your finger, face or device PIN instead of the password.</p>
      <FailureAlert failure={failure} onDismiss={dismiss} />
      {passkeys.length > 0 && (
        <PasskeyList
          passkeys={passkeys}
          disabled={!hydrated}
          busy={busy}
          onRemove={(id) => run(() => callApi(removePasskey, { params: { id } }))}
        />
      )}
      {adding ? (
        <AddPasskey onEnd={() => setAdding(false)} />
      ) : (
        <Button
          variant="outline"
          className="justify-self-start"
          disabled={!usable}
          onClick={() => setAdding(true)}
        >
          Add a passkey
        </Button>
      )}
    </div>
  )
}

type ListProps = { passkeys: PasskeyView[]; disabled: boolean; busy: boolean; onRemove: (id: string) => void }

const PasskeyList = ({ passkeys, disabled, busy, onRemove }: ListProps) => (
  <ul className="divide-y divide-line border-line border-y">
    {passkeys.map((passkey) => (
      <li key={passkey.id} className="flex items-center justify-between gap-4 py-3">
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
          disabled={disabled}
          aria-disabled={busy}
          aria-label={`Remove ${passkey.name}`}
          onClick={() => onRemove(passkey.id)}
        >
          Remove
        </Button>
      </li>
    ))}
  </ul>
)

function AddPasskey({ onEnd }: { onEnd: () => void }) {
  const { revalidate } = useRevalidator()
  const form = useForm(schemaOf('AddPasskey'), async ({ name, password }) => {
    const { makePasskey } = await import('./passkey-calls.ts')
    await makePasskey(name, password)
    await revalidate()
    onEnd()
  })
  return (
    <AccountForm form={form}>
      <InputField
        label="Name of the passkey"
        name="name"
        hint="For example: my phone"
        autoComplete="off"
        required
        autoFocus
        error={form.errors.name}
      />
      <OwnPasswordField error={form.errors.password} />
      <SendOrCancel form={form} send="Add a passkey" onCancel={onEnd} />
    </AccountForm>
  )
}
