import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { SignUpForm } from '#web/features/account/sign-up-form.tsx'
import type { Describe } from '#web/head/head-tags.ts'

export const head: Describe<undefined> = () => ({ title: 'Create account' })

export default function SignUpPage() {
  return (
    <AccountLayout title="Create account">
      <SignUpForm />
    </AccountLayout>
  )
}
