import type { ProfileView } from '@befaqt/domain/api/account-api'
import { useState } from 'react'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureAlert } from './account-form.tsx'
import { notFetched } from './schema-of.ts'

type OwnData = typeof import('./own-data.tsx')

/** What its buttons do, whose script is fetched when one is pressed. */
const ownData = (): Promise<OwnData> =>
  import('./own-data.tsx').catch((cause: unknown) => {
    throw notFetched('This', cause)
  })

/** A copy of what the shop holds of its owner, and the way out. */
export function DataSection({ profile }: { profile: ProfileView }) {
  const { busy, failure, dismiss, run } = useCall()
  const [leaving, setLeaving] = useState<OwnData | null>(null)
  const disabled = !useHydrated()
  const save = async () => (await ownData()).saveCopy()
  const leave = async () => setLeaving(await ownData())
  const close = () => setLeaving(null)
  return (
    <div className="grid justify-items-start gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <p className="text-slate">
        The copy is a file with all that we keep of you: your account, where you are logged in, and your
        orders.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" disabled={disabled} aria-busy={busy} onClick={() => void run(save)}>
          Download my data
        </Button>
        {profile.role !== 'ADMIN' && (
          <Button variant="outline" disabled={disabled} aria-busy={busy} onClick={() => void run(leave)}>
            Delete my account
          </Button>
        )}
      </div>
      {profile.role === 'ADMIN' && (
        <p className="text-slate">The account of an administrator is deleted by another one.</p>
      )}
      {leaving && (
        <leaving.EraseDialog
          onErase={() => {
            close()
            void run(leaving.erase)
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
