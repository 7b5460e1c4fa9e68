import type { ApiKeyView } from '@befaqt/domain/api-key'
import { useState } from 'react'
import { visitorWords } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { manageCalls } from './calls.ts'
import { ErrorBanner } from './error-banner.tsx'

type Props = { of: ApiKeyView | null; onRevoked: (key: ApiKeyView) => void; onClose: () => void }

/** Asks before a key is ended: whatever uses it is refused from then on. */
export function KeyRevoke({ of, onRevoked, onClose }: Props) {
  return (
    <Dialog open={of !== null} title={`Revoke ${of?.name ?? ''}?`} onClose={onClose}>
      {of && <Asking key={of.id} of={of} onRevoked={onRevoked} onClose={onClose} />}
    </Dialog>
  )
}

function Asking({ of, onRevoked, onClose }: Props & { of: ApiKeyView }) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const revoke = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await manageCalls.revokeKey(of)
      onRevoked(of)
    } catch (error) {
      setFailure(visitorWords(error))
      setBusy(false)
    }
  }
  return (
    <>
      {failure && <ErrorBanner message={failure} />}
      <p className="mb-3">Whatever uses this key is refused from now on. It can’t be taken back.</p>
      {of.madeBy === null && (
        <p className="mb-3">
          The shop made it for its own command-line tools. It makes them a new one at its next start.
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button look="main" disabled={busy} onClick={() => void revoke()}>
          {busy ? 'One moment…' : 'Revoke it for good'}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </>
  )
}
