import { copyPersonalData, eraseAccount } from '@befaqt/domain/api/endpoints/account'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { saveFile } from '#web/api/download.ts'
import { tellOtherTabs } from '#web/api/heard-viewer.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { dropAllDrafts } from '#web/forms/draft-storage.ts'
import { FailureAlert } from './account-form.tsx'

/** A copy of what the shop holds of its owner, and the way out. */
export function DataSection() {
  const { busy, failure, dismiss, run } = useCall()
  const [leaving, setLeaving] = useState(false)
  const hydrated = useHydrated()
  const save = async (): Promise<void> => {
    const text = JSON.stringify(await callApi(copyPersonalData), null, 2)
    saveFile(new Blob([text], { type: 'application/json' }), 'my-data.json')
  }
  const erase = async (): Promise<void> => {
    setLeaving(false)
    await callApi(eraseAccount)
    dropAllDrafts()
    tellOtherTabs('left')
    window.location.assign('/')
  }
  return (
    <div className="grid justify-items-start gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <p className="text-slate">
        The copy is a file with all that we keep of you: your account, where you are logged in, and your
        orders.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={() => void run(save)}>
          Download my data
        </Button>
        <Button variant="outline" disabled={!hydrated} aria-busy={busy} onClick={() => setLeaving(true)}>
          Delete my account
        </Button>
      </div>
      {leaving && (
        <Dialog open title="Delete your account?" onClose={() => setLeaving(false)}>
          <p>
            Your name, addresses and passkeys go at once, and nobody can bring them back. What you bought
            stays in our books without your name. The history of a box never names you.
          </p>
          <div className="mt-5 flex flex-wrap gap-3">
            <Button onClick={() => void run(erase)}>Delete my account</Button>
            <Button variant="outline" onClick={() => setLeaving(false)}>
              Keep it
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  )
}
