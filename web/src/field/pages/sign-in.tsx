import { signIn } from '@befaqt/domain/api/endpoints/sign-in'
import { joinAsSupplier, readInvitation } from '@befaqt/domain/api/endpoints/suppliers'
import { ShopError } from '@befaqt/domain/errors'
import { JoinInput } from '@befaqt/domain/supplier'
import { useCallback, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useCall } from '#web/api/use-call.ts'
import { useRead } from '#web/api/use-read.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { trySending } from '../queue/sender.ts'
import { checkUser } from '../queue/user.ts'
import { go, paths } from '../route.ts'

const fields = [
  ['fname', 'First name', 'text', 'given-name'],
  ['lname', 'Last name', 'text', 'family-name'],
  ['phone', 'Mobile phone', 'tel', 'tel'],
  ['password', 'New password, 6 characters or more', 'password', 'new-password'],
] as const

const messageOf = (error: unknown): string =>
  error instanceof ShopError ? error.message : 'That did not work.'

/** The page of an invitation: who one is, and a password. */
export function JoinPage({ token }: { token: string }) {
  const read = useCallback(() => callApi(readInvitation, { body: { token } }), [token])
  const { value: invited, failure } = useRead(read)
  const join = async (body: JoinInput) => {
    const { email } = await callApi(joinAsSupplier, { body })
    await callApi(signIn, { body: { email, password: body.password } })
    await checkUser()
    go(paths.home)
  }
  const form = useForm(JoinInput, join, { token })
  if (invited === null)
    return failure === null ? (
      <Spinner label="Checking the link" />
    ) : (
      <Alert tone="bad">{messageOf(failure)}</Alert>
    )
  return (
    <form {...form.formProps} aria-label="Set up access" className="grid gap-4">
      <p className="text-xl">Welcome, {invited.traderName}.</p>
      <p>You log in with {invited.email}.</p>
      {form.failure !== null && <Alert tone="bad">{messageOf(form.failure)}</Alert>}
      {fields.map(([name, label, type, autoComplete]) => (
        <InputField
          key={name}
          label={label}
          name={name}
          type={type}
          autoComplete={autoComplete}
          className="min-h-14 text-lg"
          error={form.errors[name]}
        />
      ))}
      <Button type="submit" variant="primary" className="min-h-14 text-lg" disabled={!form.ready}>
        {form.busy ? 'One moment…' : 'Start'}
      </Button>
    </form>
  )
}

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
