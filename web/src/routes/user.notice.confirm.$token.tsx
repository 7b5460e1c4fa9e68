import { useParams } from 'react-router'
import { AccountLayout } from '#web/features/account/signed-out.tsx'
import { NoticePage } from '#web/features/notices/notice-page.tsx'

export default function ConfirmNotice() {
  const { token = '' } = useParams()
  return (
    <AccountLayout title="Shall we tell you?">
      <NoticePage key={token} act="confirm" token={token} />
    </AccountLayout>
  )
}
