import { inviteSupplier, revokeInvitation } from '@befaqt/domain/api/endpoints/suppliers'
import { updateUser } from '@befaqt/domain/api/endpoints/users'
import type { InvitationView, SupplierList, SupplierView } from '@befaqt/domain/api/field-api'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureBanner } from '../form-parts.tsx'
import { CreatePanel } from '../list/create-panel.tsx'
import { EmptyList, PlainTable } from '../list/list-table.tsx'
import { RowAction } from '../list/row-action.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { PhoneLinkDialog } from './phone-link.tsx'
import { invitationColumns, supplierColumns } from './supplier-columns.tsx'
import { SupplierForm } from './supplier-form.tsx'

/** Manage Supplier: who records catches and hand-overs by phone. Source: decision 0054. */
export function SupplierScreen({ found }: { found: Read<SupplierList> }) {
  return (
    <ManageLayout title="Manage Supplier" help={false}>
      <ReadResult found={found}>{(list) => <Suppliers {...list} />}</ReadResult>
    </ManageLayout>
  )
}

function Suppliers({ suppliers, invitations }: SupplierList) {
  const { revalidate } = useRevalidator()
  const hydrated = useHydrated()
  const [statusMessage, setStatusMessage] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const [phoneOf, setPhoneOf] = useState<SupplierView | null>(null)
  const done = (message: string) => {
    setStatusMessage(message)
    void revalidate()
  }
  const run = async (work: () => Promise<unknown>, message: string) => {
    setBusy(true)
    setFailure(null)
    await work().then(() => done(message), setFailure)
    setBusy(false)
  }
  const setStatus = ({ userId, version, name }: SupplierView, status: 'ACTIVE' | 'DISABLED') =>
    run(
      () => callApi(updateUser, { params: { id: userId }, body: { status }, version }),
      status === 'ACTIVE' ? `${name} may log in again.` : `${name} is disabled and logged out everywhere.`,
    )
  const revoke = ({ id, email }: InvitationView) =>
    run(() => callApi(revokeInvitation, { params: { id } }), `The link sent to ${email} works no more.`)
  const again = ({ email, fisher }: InvitationView) =>
    run(() => callApi(inviteSupplier, { body: { email, fisher } }), `A new link was sent to ${email}.`)
  return (
    <>
      <CreatePanel title="Invite a supplier" empty={suppliers.length + invitations.length === 0}>
        <SupplierForm onInvited={(email) => done(`An invitation was sent to ${email}.`)} />
      </CreatePanel>
      <p role="status" className="min-h-8 text-good">
        {statusMessage}
      </p>
      {failure !== null && <FailureBanner error={failure} onDismiss={() => setFailure(null)} />}
      {invitations.length > 0 && (
        <>
          <h2 className="mb-2 text-2xl">Open invitations</h2>
          <PlainTable
            caption="Open invitations"
            columns={invitationColumns}
            rows={invitations}
            idOf={({ id }) => id}
            actions={(row) => (
              <>
                <RowAction
                  action="again"
                  label={`Send ${row.email} a new link`}
                  disabled={!hydrated || busy}
                  onClick={() => void again(row)}
                >
                  New link
                </RowAction>
                <RowAction
                  action="revoke"
                  label={`Revoke the invitation of ${row.email}`}
                  disabled={!hydrated || busy}
                  onClick={() => void revoke(row)}
                >
                  Revoke
                </RowAction>
              </>
            )}
          />
        </>
      )}
      <h2 className="mt-8 mb-2 text-2xl">Suppliers</h2>
      {suppliers.length === 0 ? (
        <EmptyList>Nobody records by phone yet. Invite a fisher or a carrier above.</EmptyList>
      ) : (
        <PlainTable
          caption="Suppliers"
          columns={supplierColumns}
          rows={suppliers}
          idOf={({ userId }) => userId}
          actions={(row) => {
            const isActive = row.status === 'ACTIVE'
            return (
              <>
                {isActive && (
                  <RowAction
                    action="phone"
                    label={`Let a phone of ${row.name} sign`}
                    disabled={!hydrated || busy}
                    onClick={() => setPhoneOf(row)}
                  >
                    Phone
                  </RowAction>
                )}
                <RowAction
                  action="status"
                  label={`${isActive ? 'Disable' : 'Enable'} ${row.name}`}
                  disabled={!hydrated || busy}
                  onClick={() => void setStatus(row, isActive ? 'DISABLED' : 'ACTIVE')}
                >
                  {isActive ? 'Disable' : 'Enable'}
                </RowAction>
              </>
            )
          }}
        />
      )}
      <PhoneLinkDialog of={phoneOf} onClose={() => setPhoneOf(null)} />
    </>
  )
}
