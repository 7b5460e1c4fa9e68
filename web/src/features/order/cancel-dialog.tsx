import { cancelOrder } from '@befaqt/domain/api/endpoints/order-page'
import { MAX_REASON } from '@befaqt/domain/limits'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { TextAreaField } from '#web/components/field.tsx'
import { type ActionProps, callInput } from './order-calls.ts'

type Props = ActionProps & {
  busy: boolean
  onCancel: (call: () => Promise<unknown>) => void
  onClose: () => void
}

/** Asks whether an order is to be cancelled, and why. Fetched when it is asked. */
export default function CancelDialog({ busy, onCancel, onClose, ...about }: Props) {
  const [reason, setReason] = useState('')
  const cancel = () => callApi(cancelOrder, { ...callInput(about), body: { reason } })
  return (
    <Dialog open title={`Cancel order ${about.order.number}?`} onClose={onClose}>
      <p className="mb-4">Nothing is charged, and the time you chose is free for others again.</p>
      <TextAreaField
        label="Why (optional)"
        rows={2}
        maxLength={MAX_REASON}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <div className="mt-5 flex flex-wrap gap-3">
        <Button aria-busy={busy} onClick={() => onCancel(cancel)}>
          {busy ? 'One moment…' : 'Cancel the order'}
        </Button>
        <Button variant="outline" onClick={onClose}>
          Keep the order
        </Button>
      </div>
    </Dialog>
  )
}
