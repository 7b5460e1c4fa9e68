import type { TwoFaSetup } from '@befaqt/domain/api/account-api'
import { confirmTwoFa } from '@befaqt/domain/api/endpoints/sign-in'
import { CODE_DIGITS } from '@befaqt/domain/limits'
import { callApi } from '#web/api/call-api.ts'
import { InputField } from '#web/components/field.tsx'
import { QrCode } from '#web/components/qr-code.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { AccountForm, SendOrCancel } from './account-form.tsx'
import { schemaOf } from './schema-of.ts'

type Props = { setup: TwoFaSetup; onDone: (codes: string[]) => Promise<void>; onCancel: () => void }

/** Shows the new secret as a code to scan and as text to type, and asks for a first code of it. */
export function TwoFaConfirm({ setup, onDone, onCancel }: Props) {
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
