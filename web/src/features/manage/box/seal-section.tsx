import { sealBox } from '@befaqt/domain/api/endpoints/managed-boxes'
import { MAX_REASON } from '@befaqt/domain/limits'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureBanner } from '../form-parts.tsx'

/** Ends the history of a box, after asking: nothing can be added to it, ever. */
export function SealSection({ boxID, onSealed }: { boxID: string; onSealed: () => void }) {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const seal = async (form: HTMLFormElement) => {
    setBusy(true)
    setFailure(null)
    try {
      const reason = String(new FormData(form).get('reason') ?? '').trim()
      await callApi(sealBox, { params: { boxID }, body: { reason } })
      setAsking(false)
      onSealed()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button variant="outline" disabled={!useHydrated()} onClick={() => setAsking(true)}>
        Seal this box
      </Button>
      <Dialog open={asking} title={`Seal ${boxID}?`} onClose={() => setAsking(false)}>
        <form
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            void seal(event.currentTarget)
          }}
        >
          {failure !== null && <FailureBanner error={failure} />}
          <p>
            A seal ends the history: no reading, result or correction can be added after it, and it cannot be
            taken back.
          </p>
          <InputField
            label="Reason (optional)"
            name="reason"
            maxLength={MAX_REASON}
            hint="like: sold out, all fillets packed"
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary" disabled={busy}>
              {busy ? 'One moment…' : 'Seal it for good'}
            </Button>
            <Button variant="outline" onClick={() => setAsking(false)}>
              Cancel
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}
