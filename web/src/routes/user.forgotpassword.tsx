import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { ForgotForm } from '#web/features/account/forgot-form.tsx'

export default function ForgotPasswordPage() {
  return (
    <AccountLayout title="Forgot password">
      <ForgotForm />
    </AccountLayout>
  )
}
