import { deleteSlot, updateSlot } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import { marketTime } from '@befaqt/domain/market-time'
import { slotText } from '@befaqt/domain/moment-text'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckboxField, InputField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { useForm } from '#web/forms/use-form.ts'
import { Confirm, FailureBanner, FormActions } from '../form-parts.tsx'
import { RowAction } from '../list/list-table.tsx'
import { SlotDays } from './slot-days.tsx'
import { slotPatchForm } from './slot-values.ts'

type Asked = { slot: ManagedSlot; what: 'edit' | 'delete' }

type Props = {
  slots: readonly ManagedSlot[]
  /** Stands in place of the list where there is none. */
  empty: string
  /** Days on which weekly times make none. */
  closed: ReadonlySet<string>
  /** Closes a day, after it has asked. */
  onCloseDay: ((day: string) => void) | null
  onDone: (what: string) => void
}

/** Slots by their days, with what can be done about each: changed, closed and opened with one press, deleted after asking. */
export function SlotList({ slots, empty, closed, onCloseDay, onDone }: Props) {
  const hydrated = useHydrated()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [changing, setChanging] = useState('')
  const { busy, failure, run, dismiss } = useCall()
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('edit')
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
      <SlotDays
        slots={slots}
        empty={empty}
        busy={busy ? changing : null}
        closed={closed}
        onCloseDay={onCloseDay}
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
            onDelete={() => setAsked({ slot: asked.slot, what: 'delete' })}
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

type EditProps = { slot: ManagedSlot; onClose: () => void; onDelete: () => void; onSaved: () => void }

/** What may be changed in a slot: not its times, since buyers were promised them. */
function SlotEdit({ slot, onClose, onDelete, onSaved }: EditProps) {
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
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FormActions ready={form.ready} busy={form.busy} onCancel={onClose} />
        <Button variant="link" aria-label={`Delete ${slotText(slot)}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </form>
  )
}
