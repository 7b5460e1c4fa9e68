import { useParams } from 'react-router'
import { AccountLayout } from '#web/features/account/signed-out.tsx'
import { NoticePage } from '#web/features/notices/notice-page.tsx'

export default function StopNotices() {
  const { token = '' } = useParams()
  return (
    <AccountLayout title="Stop emails">
      <NoticePage key={token} act="stop" token={token} />
    </AccountLayout>
  )
}
