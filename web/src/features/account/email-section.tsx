import type { EmailChangeView, ProfileView } from '@befaqt/domain/api/account-api'
import { Suspense, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { FailureAlert } from './account-form.tsx'
import { useLatePart } from './use-late-part.ts'

const waitingChange = () => import('./waiting-change.tsx')
/** Most accounts have none, so that its script is fetched where one waits. */
const WaitingChange = import.meta.env.SSR ? (await waitingChange()).default : lazyPart(waitingChange)

type Props = { profile: ProfileView; change: EmailChangeView | null }

/** The email of the account, and its change, which waits until both addresses have confirmed it. */
export function EmailSection({ profile, change }: Props) {
  const [open, setOpen] = useState(false)
  const hydrated = useHydrated()
  const { part, busy, failure, dismiss, fetch } = useLatePart(() => import('./email-form.tsx'))
  if (open && part) return <part.EmailForm onEnd={() => setOpen(false)} />
  const begin = () => {
    setOpen(true)
    fetch()
  }
  return (
    <div className="grid justify-items-start gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <p className="wrap-anywhere">{profile.email}</p>
      {change && (
        <Suspense>
          <WaitingChange profile={profile} change={change} />
        </Suspense>
      )}
      <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={begin}>
        {change ? 'Change to another email' : 'Change email'}
      </Button>
    </div>
  )
}
