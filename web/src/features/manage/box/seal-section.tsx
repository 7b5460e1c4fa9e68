import { sealBox } from '@befaqt/domain/api/endpoints/managed-boxes'
import { MAX_REASON } from '@befaqt/domain/limits'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Confirm } from '../list/confirm.tsx'

/** Ends the history of a box, after asking: nothing can be added to it, ever. */
export function SealSection({ boxID, onSealed }: { boxID: string; onSealed: () => void }) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const seal = async (entered: FormData) => {
    const reason = String(entered.get('reason') ?? '').trim()
    await callApi(sealBox, { params: { boxID }, body: { reason } })
    close()
    onSealed()
  }
  return (
    <>
      <Button variant="outline" disabled={!useHydrated()} onClick={() => setAsking(true)}>
        Seal this box
      </Button>
      <Dialog open={asking} title={`Seal ${boxID}?`} onClose={close}>
        {asking && (
          <Confirm action="Seal it for good" onConfirm={seal} onClose={close}>
            <p>
              A seal ends the history: no reading, result or correction can be added after it, and it cannot
              be taken back.
            </p>
            <InputField
              label="Reason (optional)"
              name="reason"
              maxLength={MAX_REASON}
              hint="like: sold out, all fillets packed"
            />
          </Confirm>
        )}
      </Dialog>
    </>
  )
}
