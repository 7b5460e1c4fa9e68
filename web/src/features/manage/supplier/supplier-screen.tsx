import { updateUser } from '@befaqt/domain/api/endpoints/manage'
import { inviteSupplier } from '@befaqt/domain/api/endpoints/suppliers'
import type { SupplierList, SupplierView } from '@befaqt/domain/api/field-api'
import { Email } from '@befaqt/domain/fields'
import { statuses } from '@befaqt/domain/statuses'
import { SupplierIdentity } from '@befaqt/domain/supplier'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { Moment } from '#web/time/time.tsx'
import { CreatePanel, FailureBanner, FormActions, StatusMessage } from '../form-parts.tsx'
import { columnsOf } from '../list/columns.tsx'
import { PersonCell, PlainTable, RowAction } from '../list/list-table.tsx'
import { FilterBar, StatusMark, statusFilter } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { OpenInvitations, OpenPhoneLinks, traderColumn } from './open-links.tsx'
import { LabelsDialog, PhoneLinkDialog } from './supplier-dialogs.tsx'
import { WaitingCatches, WaitingClaims } from './waiting-claims.tsx'

/** Manage Supplier: who records catches and hand-overs by phone. Source: decision 0054. */
export function SupplierScreen({ found }: { found: Read<SupplierList> }) {
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>{(list) => <Suppliers {...list} />}</ReadResult>
    </ManageLayout>
  )
}

function Suppliers({ suppliers, invitations, phoneLinks, claims }: SupplierList) {
  const action = useAction()
  const { failure, message, run, done, dismiss, ready } = action
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('revoke')
  const [params] = useSearchParams()
  const status = statuses.find((known) => known === params.get('status'))
  const rows = status ? suppliers.filter((supplier) => supplier.status === status) : suppliers
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
      <FilterBar filters={[statusFilter]} sorts={[]} />
      <PlainTable
        caption="Suppliers"
        columns={supplierColumns}
        rows={rows}
        idOf={({ userId }) => userId}
        empty={
          status ? 'No suppliers match.' : 'Nobody records by phone yet. Invite a fisher or a carrier above.'
        }
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

/** The fields of an invitation side by side, as a form has them. */
const InvitationForm = SupplierIdentity.extend({ email: Email })

const fields = [
  ['traderID', 'Trader id', 'The licence or trader number in records'],
  ['traderName', 'Fisher’s name', undefined],
  ['companyName', 'Company (optional)', 'Their name in hand-overs, where there is one'],
  ['boat', 'Boat (optional)', 'Remembered by the phone; they can change it'],
] as const

/** Invites a supplier: who they are in records, and where the link is sent. */
function SupplierForm({ onInvited }: { onInvited: (email: string) => void }) {
  const form = useForm(InvitationForm, async ({ email, ...fisher }) => {
    await callApi(inviteSupplier, { body: { email, fisher } })
    form.reset()
    saved()
    onInvited(email)
  })
  const { onChange, saved } = useKeptForm({ name: 'supplier', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Invite a supplier" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          hint="The link is sent there; it works once"
          error={errors.email}
        />
        {fields.map(([name, label, hint]) => (
          <InputField
            key={name}
            label={label}
            name={name}
            autoComplete="off"
            hint={hint}
            error={errors[name]}
          />
        ))}
        <TextAreaField label="Address (optional)" name="address" rows={2} error={errors.address} />
      </div>
      <FormActions ready={form.ready} busy={form.busy} save="Send invitation" />
    </form>
  )
}

/** What the list of suppliers shows. */
const supplierColumns = columnsOf<'supplier', SupplierView>('supplier', {
  supplier: {
    heading: 'Supplier',
    isName: true,
    cell: (row) => <PersonCell {...row} />,
  },
  records: traderColumn(),
  boxes: {
    heading: 'Boxes',
    className: 'text-sm',
    cell: ({ boxes, lastEntryAt, flagged }) => (
      <>
        {boxes} {boxes === 1 ? 'box' : 'boxes'}
        <span className="block text-slate">
          {lastEntryAt === null ? (
            'nothing sent yet'
          ) : (
            <>
              last sent <Moment at={lastEntryAt} />
            </>
          )}
        </span>
        {flagged > 0 && <Badge tone="warn">{flagged} late or with a wrong clock</Badge>}
      </>
    ),
  },
  status: { heading: 'Status', cell: ({ status }) => <StatusMark status={status} /> },
})
