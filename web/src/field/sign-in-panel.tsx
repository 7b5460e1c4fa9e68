import { signIn } from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { trySending } from './queue/sender.ts'
import { checkUser } from './queue/user.ts'

const FORBIDDEN = 'This account records no catches. Ask the shop to invite you.'

/** Logs in without leaving what waits on the phone. */
export function SignInPanel({ intro }: { intro: string }) {
  const [needsCode, setNeedsCode] = useState(false)
  const { busy, failure, run } = useCall()
  const submit = async (data: FormData) => {
    const text = (name: string): string => String(data.get(name) ?? '')
    const code = text('code')
    const body = { email: text('email'), password: text('password'), ...(code && { twoFaToken: code }) }
    const answer = await callApi(signIn, { body })
    if ('requireTwoFa' in answer) return setNeedsCode(true)
    if ((await checkUser()) === undefined) throw new ShopError('auth.forbidden', FORBIDDEN)
    trySending(true)
  }
  return (
    <form
      aria-label="Log in"
      className="grid gap-4 rounded-lg border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        void run(() => submit(data))
      }}
    >
      <p>{intro}</p>
      {failure !== null && <Alert tone="bad">{userMessage(failure)}</Alert>}
      <InputField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        className="min-h-14 text-lg"
        required
      />
      <InputField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        className="min-h-14 text-lg"
        required
      />
      {needsCode && (
        <InputField
          label="Code of the two-step login"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          className="min-h-14 text-lg"
          required
        />
      )}
      <Button type="submit" variant="primary" className="min-h-14 text-lg" aria-busy={busy}>
        {busy ? 'One moment…' : 'Log in'}
      </Button>
    </form>
  )
}
