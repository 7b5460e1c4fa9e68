import { useParams } from 'react-router'
import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { FirstAdminForm } from '#web/features/account/first-admin-form.tsx'

export default function FirstAdminPage() {
  const { token = '' } = useParams()
  return (
    <AccountLayout title="First administrator">
      <FirstAdminForm token={token} />
    </AccountLayout>
  )
}
