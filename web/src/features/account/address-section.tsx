import type { SavedAddressView } from '@befaqt/domain/api/account-api'
import { changeAddress, removeAddress } from '@befaqt/domain/api/endpoints/account'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { FailureAlert } from './account-form.tsx'
import { useLatePart } from './use-late-part.ts'

/** The addresses that the account keeps for its orders: one is preferred, each can be changed or deleted. */
export function AddressSection({ addresses }: { addresses: SavedAddressView[] }) {
  /** What the form is open for; null: a new one. */
  const [edited, setEdited] = useState<SavedAddressView | null | undefined>(undefined)
  const disabled = !useHydrated()
  const {
    part,
    busy: fetching,
    failure: unfetched,
    dismiss: forget,
    fetch,
  } = useLatePart(() => import('./address-form.tsx'))
  const { busy, failure, dismiss, run } = useRevalidatingCall()
  const { place, removing } = useFocusAfterRemoval<HTMLUListElement>('delete')
  if (edited !== undefined && part)
    return <part.AddressForm kept={edited} onEnd={() => setEdited(undefined)} />
  const open = (address: SavedAddressView | null) => {
    setEdited(address)
    fetch()
  }
  const prefer = ({ _id, ...body }: SavedAddressView) =>
    void run(() => callApi(changeAddress, { params: { id: _id }, body: { ...body, preferred: true } }))
  const remove = (id: string) => {
    removing(
      addresses.map(({ _id }) => _id),
      id,
    )
    void run(() => callApi(removeAddress, { params: { id } }))
  }
  return (
    <div className="grid gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <FailureAlert failure={unfetched} onDismiss={forget} />
      <ul ref={place} className="grid gap-3">
        {addresses.length === 0 && (
          <li data-empty tabIndex={-1} className="text-slate">
            None yet. An order that we deliver can keep its address here, too.
          </li>
        )}
        {addresses.map((address) => (
          <AddressRow
            key={address._id}
            address={address}
            disabled={disabled}
            busy={busy}
            onEdit={() => open(address)}
            onPrefer={() => prefer(address)}
            onDelete={() => remove(address._id)}
          />
        ))}
      </ul>
      <Button
        variant="outline"
        className="justify-self-start"
        disabled={disabled}
        aria-busy={fetching}
        onClick={() => open(null)}
      >
        Add an address
      </Button>
    </div>
  )
}

type RowProps = {
  address: SavedAddressView
  disabled: boolean
  busy: boolean
  onEdit: () => void
  onPrefer: () => void
  onDelete: () => void
}

function AddressRow({ address, disabled, busy, onEdit, onPrefer, onDelete }: RowProps) {
  const { _id, label, street, suburb, state, postcode, preferred } = address
  const usable = { variant: 'outline', disabled, 'aria-disabled': busy } as const
  return (
    <li data-row={_id} className="grid gap-3 rounded-md border border-line p-4">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          {label} {preferred && <Badge tone="teal">Preferred</Badge>}
        </p>
        <p className="text-slate wrap-anywhere">
          {street}, {suburb} {state} {postcode}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button {...usable} aria-label={`Edit ${label}`} onClick={onEdit}>
          Edit
        </Button>
        {!preferred && (
          <Button {...usable} aria-label={`Prefer ${label}`} onClick={onPrefer}>
            Prefer
          </Button>
        )}
        <Button {...usable} data-action="delete" aria-label={`Delete ${label}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  )
}
