import { joinAsSupplier, readInvitation } from '@befaqt/domain/api/endpoints/field'
import { signIn } from '@befaqt/domain/api/endpoints/sign-in'
import type { Invited } from '@befaqt/domain/api/field-api'
import { ShopError } from '@befaqt/domain/errors'
import { JoinInput } from '@befaqt/domain/supplier'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { checkUser } from './queue/user.ts'
import { go, paths } from './route.ts'

const fields = [
  ['fname', 'First name', 'text', 'given-name'],
  ['lname', 'Last name', 'text', 'family-name'],
  ['phone', 'Mobile phone', 'tel', 'tel'],
  ['password', 'New password, 6 characters or more', 'password', 'new-password'],
] as const

const messageOf = (error: unknown): string =>
  error instanceof ShopError ? error.message : 'That did not work.'

/** The page of an invitation: who one is, and a password. */
export default function JoinPage({ token }: { token: string }) {
  const [invited, setInvited] = useState<Invited | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    callApi(readInvitation, { body: { token } }).then(setInvited, (error: unknown) =>
      setProblem(messageOf(error)),
    )
  }, [token])
  const submit = async (data: FormData) => {
    const parsed = JoinInput.safeParse({
      ...Object.fromEntries(fields.map(([name]) => [name, data.get(name)])),
      token,
    })
    if (!parsed.success)
      return setErrors(
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
      )
    setErrors({})
    setProblem(null)
    setBusy(true)
    try {
      const { email } = await callApi(joinAsSupplier, { body: parsed.data })
      await callApi(signIn, { body: { email, password: parsed.data.password } })
      await checkUser()
      go(paths.home)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  if (invited === null)
    return problem ? <Alert tone="bad">{problem}</Alert> : <Spinner label="Checking the link" />
  return (
    <form
      aria-label="Set up access"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(new FormData(event.currentTarget))
      }}
    >
      <p className="text-xl">Welcome, {invited.traderName}.</p>
      <p>You log in with {invited.email}.</p>
      {problem && <Alert tone="bad">{problem}</Alert>}
      {fields.map(([name, label, type, autoComplete]) => (
        <InputField
          key={name}
          label={label}
          name={name}
          type={type}
          autoComplete={autoComplete}
          className="min-h-14 text-lg"
          error={errors[name]}
        />
      ))}
      <Button type="submit" variant="primary" className="min-h-14 text-lg" disabled={busy}>
        {busy ? 'One moment…' : 'Start'}
      </Button>
    </form>
  )
}
