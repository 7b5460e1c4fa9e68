import { useParams } from 'react-router'
import { RestoreScreen } from '#web/features/restore/restore-screen.tsx'

export default function RestorePage() {
  const { token = '' } = useParams()
  return <RestoreScreen key={token} link={token} />
}
