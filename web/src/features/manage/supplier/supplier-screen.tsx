import { updateUser } from '@befaqt/domain/api/endpoints/users'
import type { SupplierList, SupplierView } from '@befaqt/domain/api/field-api'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { FailureBanner, StatusMessage } from '../form-parts.tsx'
import { CreatePanel } from '../list/create-panel.tsx'
import { PlainTable } from '../list/list-table.tsx'
import { RowAction } from '../list/row-action.tsx'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import { useAction } from '../use-action.ts'
import { LabelsDialog } from './labels-dialog.tsx'
import { OpenInvitations, OpenPhoneLinks } from './open-links.tsx'
import { PhoneLinkDialog } from './phone-link.tsx'
import { supplierColumns } from './supplier-columns.tsx'
import { SupplierForm } from './supplier-form.tsx'
import { WaitingCatches, WaitingClaims } from './waiting-claims.tsx'

/** Manage Supplier: who records catches and hand-overs by phone. Source: decision 0054. */
export function SupplierScreen({ found }: { found: Read<SupplierList> }) {
  return (
    <ManageLayout title="Manage Supplier" help={false}>
      <ReadResult found={found}>{(list) => <Suppliers {...list} />}</ReadResult>
    </ManageLayout>
  )
}

function Suppliers({ suppliers, invitations, phoneLinks, claims }: SupplierList) {
  const action = useAction()
  const { failure, message, run, done, dismiss, ready } = action
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('revoke')
  const [phoneOf, setPhoneOf] = useState<SupplierView | null>(null)
  const [labelsOf, setLabelsOf] = useState<string | null>(null)
  const setStatus = ({ userId, version, name }: SupplierView, status: 'ACTIVE' | 'DISABLED') =>
    run(async () => {
      await callApi(updateUser, { params: { id: userId }, body: { status }, version })
      return status === 'ACTIVE'
        ? `${name} may log in again.`
        : `${name} is disabled and logged out everywhere.`
    })
  return (
    <div ref={place}>
      <CreatePanel title="Invite a supplier" empty={suppliers.length + invitations.length === 0}>
        <SupplierForm onInvited={(email) => done(`An invitation was sent to ${email}.`)} />
      </CreatePanel>
      <StatusMessage message={message} className="min-h-8" />
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      <WaitingCatches rows={claims.filter(({ kind }) => kind === 'catch')} action={action} />
      <WaitingClaims rows={claims.filter(({ kind }) => kind === 'handover')} action={action} />
      <OpenInvitations rows={invitations} action={action} removing={removing} />
      <OpenPhoneLinks rows={phoneLinks} action={action} removing={removing} />
      <h2 data-empty tabIndex={-1} className="mb-2 text-2xl">
        Suppliers
      </h2>
      <PlainTable
        caption="Suppliers"
        columns={supplierColumns}
        rows={suppliers}
        idOf={({ userId }) => userId}
        empty="Nobody records by phone yet. Invite a fisher or a carrier above."
        actions={(row) => {
          const isActive = row.status === 'ACTIVE'
          return (
            <>
              <RowAction
                action="labels"
                label={`Labels of ${row.name}`}
                disabled={!ready}
                onClick={() => setLabelsOf(row.userId)}
              >
                Labels
              </RowAction>
              {isActive && (
                <RowAction
                  action="phone"
                  label={`Let a phone of ${row.name} sign`}
                  disabled={!ready}
                  onClick={() => setPhoneOf(row)}
                >
                  Phone
                </RowAction>
              )}
              <RowAction
                action="status"
                label={`${isActive ? 'Disable' : 'Enable'} ${row.name}`}
                disabled={!ready}
                onClick={() => void setStatus(row, isActive ? 'DISABLED' : 'ACTIVE')}
              >
                {isActive ? 'Disable' : 'Enable'}
              </RowAction>
            </>
          )
        }}
      />
      <LabelsDialog
        of={suppliers.find(({ userId }) => userId === labelsOf) ?? null}
        onClose={() => setLabelsOf(null)}
      />
      <PhoneLinkDialog of={phoneOf} onMade={() => done('')} onClose={() => setPhoneOf(null)} />
    </div>
  )
}
