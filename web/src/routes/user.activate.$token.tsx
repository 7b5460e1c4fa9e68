import { useParams } from 'react-router'
import { AccountLayout } from '#web/features/account/account-layout.tsx'
import { Activation } from '#web/features/account/activation.tsx'

export default function ActivationPage() {
  const { token = '' } = useParams()
  return (
    <AccountLayout title="Activate account">
      <Activation key={token} token={token} />
    </AccountLayout>
  )
}
