import type { BothFactors } from '@befaqt/domain/account'
import type { TwoFaSetup } from '@befaqt/domain/api/account-api'
import { beginTwoFa, confirmTwoFa, endTwoFa, renewRecoveryCodes } from '@befaqt/domain/api/endpoints/sign-in'
import { CODE_DIGITS } from '@befaqt/domain/limits'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { CopyButton } from '#web/components/copy-button.tsx'
import { InputField } from '#web/components/field.tsx'
import { QrCode } from '#web/components/qr-code.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { OwnPasswordField } from './account-fields.tsx'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { CodeField } from './credential-fields.tsx'
import { schemaOf } from './schema-of.ts'

/** Switching the second factor on, switching it off, making new recovery codes. */
export type TwoFaTask = 'begin' | 'off' | 'renew'

type Step = { kind: TwoFaTask } | { kind: 'confirm'; setup: TwoFaSetup } | { kind: 'codes'; codes: string[] }

/** A change of the second factor, step by step. */
export function TwoFaSteps({ task, onEnd }: { task: TwoFaTask; onEnd: () => void }) {
  const [step, setStep] = useState<Step>({ kind: task })
  const { revalidate } = useRevalidator()
  const showCodes = async (codes: string[]) => {
    setStep({ kind: 'codes', codes })
    await revalidate()
  }
  if (step.kind === 'begin')
    return (
      <ConfirmPasswordForm
        label="Continue"
        onCancel={onEnd}
        send={async (password) =>
          setStep({ kind: 'confirm', setup: await callApi(beginTwoFa, { body: { password } }) })
        }
      />
    )
  if (step.kind === 'confirm') return <TwoFaConfirm setup={step.setup} onCancel={onEnd} onDone={showCodes} />
  if (step.kind === 'codes') return <RecoveryCodes codes={step.codes} onDone={onEnd} />
  if (step.kind === 'off')
    return (
      <ReauthenticateForm
        label="Turn off"
        onCancel={onEnd}
        send={async (proof) => {
          await callApi(endTwoFa, { body: proof })
          await revalidate()
          onEnd()
        }}
      />
    )
  return (
    <ReauthenticateForm
      label="Make new codes"
      onCancel={onEnd}
      send={async (proof) => showCodes((await callApi(renewRecoveryCodes, { body: proof })).recoveryCodes)}
    />
  )
}

type Props = { label: string; send: (proof: BothFactors) => Promise<void>; onCancel: () => void }

/** Asks for password and code: what weakens the guard takes both. */
function ReauthenticateForm({ label, send, onCancel }: Props) {
  const form = useForm(schemaOf('BothFactors'), send)
  return (
    <AccountForm form={form}>
      <OwnPasswordField error={form.errors.password} />
      <CodeField error={form.errors.twoFaToken} />
      <SendOrCancel form={form} send={label} onCancel={onCancel} />
    </AccountForm>
  )
}

type ConfirmPasswordProps = {
  label: string
  send: (password: string) => Promise<void>
  onCancel: () => void
}

/** Asks for the password before something that a borrowed browser must not do. */
function ConfirmPasswordForm({ label, send, onCancel }: ConfirmPasswordProps) {
  const form = useForm(schemaOf('Reauthentication'), ({ password }) => send(password))
  return (
    <AccountForm form={form}>
      <OwnPasswordField autoFocus error={form.errors.password} />
      <SendOrCancel form={form} send={label} onCancel={onCancel} />
    </AccountForm>
  )
}

type TwoFaConfirmProps = {
  setup: TwoFaSetup
  onDone: (codes: string[]) => Promise<void>
  onCancel: () => void
}

/** Shows the new secret as a code to scan and as text to type, and asks for a first code of it. */
function TwoFaConfirm({ setup, onDone, onCancel }: TwoFaConfirmProps) {
  const form = useForm(schemaOf('ConfirmTwoFa'), async (body) => {
    await onDone((await callApi(confirmTwoFa, { body })).recoveryCodes)
  })
  return (
    <AccountForm form={form}>
      <p>
        Scan this with an authenticator app, or type the secret into it. Then enter the code that it shows.
      </p>
      <QrCode code={setup.qr} label="QR code of the secret" />
      <p>
        <span className="font-semibold">Secret</span>{' '}
        <code className="mt-1 block font-mono text-lg">{setup.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        <a href={setup.uri} className="link inline-block py-2.5 text-sm">
          Open in an app on this device
        </a>
      </p>
      <InputField
        label="2FA code"
        name="twoFaToken"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={CODE_DIGITS + 1}
        required
        className="font-mono text-lg tracking-widest"
        hint={`${CODE_DIGITS} digits from your authenticator app`}
        error={form.errors.twoFaToken}
      />
      <SendOrCancel form={form} send="Confirm" onCancel={onCancel} />
    </AccountForm>
  )
}

/** The only time that these codes can be read: to be copied or saved. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = codes.join('\n')
  return (
    <div className="grid gap-5">
      <Alert tone="good">Two-step login is on. Keep these recovery codes: they are shown only now.</Alert>
      <p className="text-slate">Use each code once if you lose your phone.</p>
      <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md bg-ice p-4">
        {codes.map((code) => (
          <li key={code} className="font-mono">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={text} />
        <a
          className="tap rounded-md border border-edge px-5 font-semibold hover:border-teal hover:text-teal"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          Save as a file
        </a>
        <Button variant="secondary" onClick={onDone}>
          I’ve saved them
        </Button>
      </div>
    </div>
  )
}
