import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { SignInForm } from '#web/features/account/sign-in-form.tsx'

export default function SignInPage() {
  return (
    <AccountLayout title="Log in">
      <SignInForm />
    </AccountLayout>
  )
}
