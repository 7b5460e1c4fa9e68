import { useParams } from 'react-router'
import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { ResetForm } from '#web/features/account/reset-form.tsx'

export default function ResetPasswordPage() {
  const { emailToken = '' } = useParams()
  return (
    <AccountLayout title="Reset password">
      <ResetForm emailToken={emailToken} />
    </AccountLayout>
  )
}
