import { AccountFrame } from '#web/features/account/account-frame.tsx'
import { SignInForm } from '#web/features/account/sign-in-form.tsx'
import type { Describe } from '#web/head/head-tags.ts'

export const head: Describe<undefined> = () => ({ title: 'Login' })

export default function SignInPage() {
  return (
    <AccountFrame title="Login">
      <SignInForm />
    </AccountFrame>
  )
}
