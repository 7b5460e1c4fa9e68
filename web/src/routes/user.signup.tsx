import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { SignUpForm } from '#web/features/account/sign-up-form.tsx'

export default function SignUpPage() {
  return (
    <AccountLayout title="Create account">
      <SignUpForm />
    </AccountLayout>
  )
}
