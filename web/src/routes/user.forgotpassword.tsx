import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { ForgotForm } from '#web/features/account/forgot-form.tsx'
import type { Describe } from '#web/head/head-tags.ts'

export const head: Describe<undefined> = () => ({ title: 'Forgot password' })

export default function ForgotPasswordPage() {
  return (
    <AccountLayout title="Forgot password">
      <ForgotForm />
    </AccountLayout>
  )
}
