import type { SignIn } from '@befaqt/domain/account'
import type { SignInAnswer } from '@befaqt/domain/api/account-api'
import { signIn, verifyTwoFa } from '@befaqt/domain/api/endpoints/sign-in'
import { useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { PasswordField } from '#web/features/account/account-fields.tsx'
import { AccountForm, LinkButton, SubmitButton } from '#web/features/account/account-form.tsx'
import { CodeField } from '#web/features/account/credential-fields.tsx'
import { useSignInRedirect } from '#web/features/account/kept-next.ts'
import { usePlainForm, useSentForm } from '#web/features/account/plain-form.ts'
import { withNext } from '#web/features/account/safe-redirect.ts'
import { schemaOf } from '#web/features/account/schema-of.ts'
import { AccountLayout, ActivationAgain } from '#web/features/account/signed-out.tsx'
import { useNext } from '#web/features/account/use-next.ts'

const FOUND = {
  canonical: '/user/signin',
  description: 'Log in to follow your orders, order again and keep your favourites.',
}

export default function SignInPage() {
  return (
    <AccountLayout title="Log in" found={FOUND}>
      <SignInForm />
    </AccountLayout>
  )
}

/** Sign in: email and password, then the code where the account wants one. Source: spec §2, §4. */
function SignInForm() {
  const sent = useSentForm()
  const [email, setEmail] = useState(sent.typed.email ?? '')
  const [codeWanted, setCodeWanted] = useState(sent.answer !== null && 'requireTwoFa' in sent.answer)
  const enter = useSignInRedirect()
  const next = useNext()
  const go = async (answer: SignInAnswer): Promise<void> => {
    if (!('requireTwoFa' in answer)) return enter()
    setCodeWanted(true)
  }
  const send = async (input: SignIn): Promise<void> => {
    setEmail(input.email)
    const body = { ...input, twoFaToken: input.twoFaToken ?? '' }
    await go(await callApi(codeWanted ? verifyTwoFa : signIn, { body }))
  }
  const form = usePlainForm<SignIn>(schemaOf(codeWanted ? 'VerifyTwoFa' : 'SignIn'), send, sent)
  return (
    <>
      <AccountForm form={form} help={<ActivationAgain key={email} failure={form.failure} email={email} />}>
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="username webauthn"
          required
          defaultValue={sent.typed.email}
          error={form.errors.email}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          error={form.errors.password}
        />
        {codeWanted && <CodeField error={form.errors.twoFaToken} />}
        <SubmitButton ready={form.ready} busy={form.busy}>
          {codeWanted ? 'Verify 2FA' : 'Log in'}
        </SubmitButton>
        <Link to={withNext('/user/forgotpassword', next)} className="link justify-self-start py-2">
          Forgot password?
        </Link>
      </AccountForm>
      <div className="mt-4 grid gap-4 border-line border-t pt-6">
        <PasskeySignIn onDone={go} onFailure={form.fail} />
        <LinkButton to={withNext('/user/signup', next)} variant="outline">
          Create account
        </LinkButton>
      </div>
    </>
  )
}

type Props = { onDone: (answer: SignInAnswer) => Promise<void>; onFailure: (failure: unknown) => void }

/** Signs in with a passkey; not shown where the browser knows none. */
function PasskeySignIn({ onDone, onFailure }: Props) {
  const { busy, run } = useCall()
  const usable = useHydrated() && typeof window.PublicKeyCredential === 'function'
  const signIn = async () => {
    onFailure(null)
    try {
      const { signInWithPasskey } = await import('#web/features/account/passkey-calls.ts')
      await onDone(await signInWithPasskey())
    } catch (error) {
      onFailure(error)
    }
  }
  return (
    <Button variant="outline" disabled={!usable} aria-busy={busy} onClick={() => void run(signIn)}>
      Log in with a passkey
    </Button>
  )
}
