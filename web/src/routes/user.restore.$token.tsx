import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { AccountLayout } from '#web/features/account/signed-out.tsx'

/** It begins by asking the shop, so its script can come after the page's. */
const Restore = lazy(() => import('#web/features/restore/restore-screen.tsx'))

/** Restoring a backup into a shop that nobody has used yet. Source: scale.md 'Installed by anybody'. */
export default function RestorePage() {
  const { token = '' } = useParams()
  const hydrated = useHydrated()
  const waiting = <Spinner label="Asking the shop" />
  return (
    <AccountLayout title="Restore a backup" needsScript>
      <Suspense fallback={waiting}>{hydrated ? <Restore key={token} link={token} /> : waiting}</Suspense>
    </AccountLayout>
  )
}
