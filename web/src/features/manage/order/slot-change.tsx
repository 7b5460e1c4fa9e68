import { changeOrderSlot } from '@befaqt/domain/api/endpoints/managed-orders'
import { listSlots } from '@befaqt/domain/api/endpoints/orders'
import type { ManagedOrder, SlotView } from '@befaqt/domain/api/order-api'
import { slotText } from '@befaqt/domain/moment-text'
import { useCallback, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { useRead } from '#web/api/use-read.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { FailureBanner } from '../form-parts.tsx'

type Props = { order: ManagedOrder; onMoved: (slot: SlotView) => void }

/** Moves an order to another time, of those that its buyer could have chosen. */
export function SlotChange({ order, onMoved }: Props) {
  const hydrated = useHydrated()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" disabled={!hydrated} onClick={() => setOpen(true)}>
        Move to another time
      </Button>
      <Dialog open={open} title="Move to another time" onClose={() => setOpen(false)}>
        <Choosing
          order={order}
          onClose={() => setOpen(false)}
          onMoved={(slot) => {
            setOpen(false)
            onMoved(slot)
          }}
        />
      </Dialog>
    </>
  )
}

/** Open slots of the order's kind and postcode, read when the dialog opens, and when asked to. */
function useOpenSlots({ kind, address, slot }: ManagedOrder) {
  const postcode = address?.postcode
  const read = useCallback(async () => {
    const open = await callApi(listSlots, { query: { kind, ...(postcode && { postcode }) } })
    return open.filter(({ _id }) => _id !== slot._id)
  }, [kind, postcode, slot._id])
  return useRead(read)
}

function Choosing({ order, onClose, onMoved }: Props & { onClose: () => void }) {
  const { value: slots, failure: unread, again } = useOpenSlots(order)
  const [chosen, setChosen] = useState<SlotView | null>(null)
  const { busy, failure, run } = useCall()
  const move = async (slot: SlotView) => {
    const input = { params: { id: order._id }, body: { slot: slot._id }, version: order.version }
    if (await run(() => callApi(changeOrderSlot, input))) return onMoved(slot)
    setChosen(null)
    again()
  }
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen) void move(chosen)
      }}
    >
      {(failure ?? unread) !== null && <FailureBanner error={failure ?? unread} />}
      <p>
        Now {slotText(order.slot)}. The buyer gets an email about the new time
        {order.contact ? `; you could call ${order.contact.phone} first` : ''}.
      </p>
      {slots === null && unread === null && <Spinner label="Loading the times" />}
      {slots?.length === 0 && (
        <p className="text-slate">No other time is open. Add one on the page of slots.</p>
      )}
      {slots !== null && slots.length > 0 && (
        <fieldset className="max-h-72 overflow-y-auto rounded-md border border-line px-3">
          <legend className="sr-only">New time</legend>
          {slots.map((slot) => (
            <label key={slot._id} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name="slot"
                className="size-5 shrink-0 accent-teal"
                checked={chosen?._id === slot._id}
                onChange={() => setChosen(slot)}
              />
              <span className="flex-1">{slotText(slot)}</span>
              <span className="muted tabular-nums">{slot.left} left</span>
            </label>
          ))}
        </fieldset>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={!chosen} aria-busy={busy}>
          {busy ? 'One moment…' : 'Move the order'}
        </Button>
        <Button variant="outline" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
