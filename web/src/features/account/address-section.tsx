import type { SavedAddressView } from '@befaqt/domain/api/account-api'
import { addAddress, changeAddress, removeAddress } from '@befaqt/domain/api/endpoints/own-account'
import { MAX_ADDRESSES } from '@befaqt/domain/limits'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureAlert } from './account-form.tsx'
import { useLatePart } from './use-late-part.ts'

type Props = { addresses: SavedAddressView[] }

/** What the form is open for: an address, or null for a new one; undefined: it is closed. */
type Edited = SavedAddressView | null | undefined

/** The addresses that the account keeps for its orders: one is preferred, each can be changed or deleted. */
export default function AddressSection({ addresses }: Props) {
  const [edited, setEdited] = useState<Edited>(undefined)
  const { part, busy, failure, dismiss, fetch } = useLatePart(() => import('./address-form.tsx'))
  /** What has the focus once the form is closed. */
  const opener = useRef<string | null>(null)
  const isOpen = edited !== undefined && part !== null
  const open = (address: SavedAddressView | null) => {
    opener.current = openerOf(address)
    setEdited(address)
    fetch()
  }
  useEffect(() => {
    if (isOpen || opener.current === null || document.activeElement !== document.body) return
    document.getElementById(opener.current)?.focus()
    opener.current = null
  }, [isOpen])
  if (isOpen) return <part.AddressForm kept={edited} onEnd={() => setEdited(undefined)} />
  return (
    <div className="grid gap-4">
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <Kept addresses={addresses} fetching={busy} onOpen={open} />
    </div>
  )
}

const openerOf = (address: SavedAddressView | null): string => `address-${address?._id ?? 'new'}`

type KeptProps = Props & { fetching: boolean; onOpen: (address: SavedAddressView | null) => void }

function Kept({ addresses, fetching, onOpen }: KeptProps) {
  const { busy, failure, dismiss, run } = useRevalidatingCall()
  const [deleted, setDeleted] = useState<SavedAddressView | null>(null)
  const undoing = useRef<HTMLButtonElement>(null)
  const disabled = !useHydrated()
  useEffect(() => {
    if (deleted && document.activeElement === document.body) undoing.current?.focus()
  })
  const prefer = ({ _id, ...body }: SavedAddressView) =>
    void run(() => callApi(changeAddress, { params: { id: _id }, body: { ...body, preferred: true } }))
  const remove = async (address: SavedAddressView) => {
    if (await run(() => callApi(removeAddress, { params: { id: address._id } }))) setDeleted(address)
  }
  const undo = async ({ _id, ...body }: SavedAddressView) => {
    if (await run(() => callApi(addAddress, { body }))) setDeleted(null)
  }
  return (
    <>
      <FailureAlert failure={failure} onDismiss={dismiss} />
      <div>
        {addresses.length === 0 ? (
          <p className="text-slate">None yet. An order that we deliver can keep its address here, too.</p>
        ) : (
          <ul className="grid gap-3">
            {addresses.map((address) => (
              <AddressRow
                key={address._id}
                address={address}
                disabled={disabled}
                busy={busy}
                onEdit={() => onOpen(address)}
                onPrefer={() => prefer(address)}
                onDelete={() => void remove(address)}
              />
            ))}
          </ul>
        )}
        <div role="status">
          {deleted && (
            <p className="mt-2 flex flex-wrap items-center gap-x-3 text-slate wrap-anywhere">
              {deleted.label} was deleted.
              <Button ref={undoing} variant="link" aria-busy={busy} onClick={() => void undo(deleted)}>
                Undo
              </Button>
            </p>
          )}
        </div>
      </div>
      {addresses.length < MAX_ADDRESSES ? (
        <Button
          id={openerOf(null)}
          variant="outline"
          className="justify-self-start"
          disabled={disabled}
          aria-busy={fetching}
          onClick={() => onOpen(null)}
        >
          Add an address
        </Button>
      ) : (
        <p className="text-slate">These are {MAX_ADDRESSES}, which is the most. Delete one to add another.</p>
      )}
    </>
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
  const { label, street, suburb, state, postcode, preferred } = address
  const usable = { variant: 'outline', disabled, 'aria-disabled': busy } as const
  return (
    <li className="grid gap-3 rounded-md border border-line p-4">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          {label} {preferred && <Badge tone="teal">Preferred</Badge>}
        </p>
        <p className="text-slate wrap-anywhere">
          {street}, {suburb} {state} {postcode}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button {...usable} id={openerOf(address)} aria-label={`Edit ${label}`} onClick={onEdit}>
          Edit
        </Button>
        {!preferred && (
          <Button {...usable} aria-label={`Prefer ${label}`} onClick={onPrefer}>
            Prefer
          </Button>
        )}
        <Button {...usable} aria-label={`Delete ${label}`} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </li>
  )
}
