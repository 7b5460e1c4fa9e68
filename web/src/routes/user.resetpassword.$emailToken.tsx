import { useParams } from 'react-router'
import { AccountFrame } from '#web/features/account/account-layout.tsx'
import { ResetForm } from '#web/features/account/reset-form.tsx'
import type { Describe } from '#web/head/head-tags.ts'

export const head: Describe<undefined> = () => ({ title: 'Reset password' })

export default function ResetPasswordPage() {
  const { emailToken = '' } = useParams()
  return (
    <AccountFrame title="Reset password">
      <ResetForm emailToken={emailToken} />
    </AccountFrame>
  )
}
