import { deleteSlot, updateSlot } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import { marketTime } from '@befaqt/domain/market-time'
import { slotText } from '@befaqt/domain/moment-text'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckboxField, InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { useForm } from '#web/forms/use-form.ts'
import { Confirm, FailureBanner, FormActions } from '../form-parts.tsx'
import { PlainTable, RowAction } from '../list/list-table.tsx'
import { slotColumns } from './slot-row.tsx'
import { slotPatchForm } from './slot-values.ts'

type Props = { slots: readonly ManagedSlot[]; onDone: (what: string) => void }
type Asked = { slot: ManagedSlot; what: 'edit' | 'delete' }

/** Slots with what can be done about them: change, close and open with one press, delete after asking. */
export function SlotList({ slots, onDone }: Props) {
  const hydrated = useHydrated()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [changing, setChanging] = useState('')
  const { busy, failure, run, dismiss } = useCall()
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('delete')
  const close = () => setAsked(null)
  const setClosed = ({ _id, version, ...slot }: ManagedSlot, closed: boolean) =>
    run(async () => {
      setChanging(_id)
      await callApi(updateSlot, { params: { id: _id }, body: { closed }, version })
      onDone(`${closed ? 'Closed' : 'Opened'} ${slotText(slot)}.`)
    })
  return (
    <div ref={place}>
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <PlainTable
        caption="Slots"
        columns={slotColumns(hydrated ? Date.now() : undefined)}
        rows={slots}
        idOf={({ _id }) => _id}
        empty="No slots match."
        busy={new Set(busy ? [changing] : [])}
        actions={(slot) => (
          <>
            <RowAction
              action="edit"
              label={`Edit ${slotText(slot)}`}
              disabled={!hydrated}
              onClick={() => setAsked({ slot, what: 'edit' })}
            >
              Edit
            </RowAction>
            <RowAction
              action="close"
              label={`${slot.closed ? 'Open' : 'Close'} ${slotText(slot)}`}
              disabled={!hydrated}
              aria-disabled={busy}
              onClick={() => void setClosed(slot, !slot.closed)}
            >
              {slot.closed ? 'Open' : 'Close'}
            </RowAction>
            <RowAction
              action="delete"
              label={`Delete ${slotText(slot)}`}
              disabled={!hydrated}
              onClick={() => setAsked({ slot, what: 'delete' })}
            >
              Delete
            </RowAction>
          </>
        )}
      />
      <Dialog
        open={asked !== null}
        title={asked?.what === 'delete' ? 'Delete this slot?' : 'Edit slot'}
        onClose={close}
      >
        {asked?.what === 'edit' && (
          <SlotEdit
            slot={asked.slot}
            onClose={close}
            onSaved={() => {
              close()
              onDone(`Saved ${slotText(asked.slot)}.`)
            }}
          />
        )}
        {asked?.what === 'delete' && (
          <Confirm
            action="Delete slot"
            onClose={close}
            onConfirm={async () => {
              const { _id, version } = asked.slot
              await callApi(deleteSlot, { params: { id: _id }, version })
              removing(
                slots.map((slot) => slot._id),
                _id,
              )
              close()
              onDone(`Deleted ${slotText(asked.slot)}.`)
            }}
          >
            <p className="font-semibold">{slotText(asked.slot)}</p>
            <p>
              {asked.slot.rule === null
                ? 'This can’t be undone.'
                : 'Its weekly time will not create it again.'}
            </p>
          </Confirm>
        )}
      </Dialog>
    </div>
  )
}

type EditProps = { slot: ManagedSlot; onClose: () => void; onSaved: () => void }

/** What may be changed in a slot: not its times, since buyers were promised them. */
function SlotEdit({ slot, onClose, onSaved }: EditProps) {
  const { _id, timeZone, version, orders } = slot
  const form = useForm(slotPatchForm(timeZone), async (body) => {
    await callApi(updateSlot, { params: { id: _id }, body, version })
    onSaved()
  })
  const cutOff = marketTime(Date.parse(slot.cutOffAt ?? ''), timeZone)
    .slice(0, 16)
    .replace(' ', 'T')
  return (
    <form {...form.formProps} aria-label="Edit slot" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p className="font-semibold">{slotText(slot)}</p>
      <InputField
        label="Orders it takes"
        name="capacity"
        inputMode="numeric"
        defaultValue={slot.capacity}
        hint={orders > 0 ? `It has ${orders} already; they stay.` : undefined}
        error={form.errors.capacity}
      />
      <InputField
        label="Orders until"
        name="cutOffAt"
        type="datetime-local"
        defaultValue={cutOff}
        hint={timeZone}
        error={form.errors.cutOffAt}
      />
      <CheckboxField label="Closed to new orders" name="closed" defaultChecked={slot.closed} />
      <FormActions ready={form.ready} busy={form.busy} onCancel={onClose} />
    </form>
  )
}
