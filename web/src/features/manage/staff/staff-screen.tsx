import { inviteStaff, revokeStaffInvitation } from '@befaqt/domain/api/endpoints/staff'
import {
  presetOf,
  rightWords,
  type StaffInvitation,
  type StaffList,
  type StaffMember,
} from '@befaqt/domain/staff'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useFocusAfterRemoval } from '#web/components/use-focus-after-removal.ts'
import { Moment } from '#web/time/time.tsx'
import { Confirm, CreatePanel, FailureBanner, StatusMessage } from '../form-parts.tsx'
import { columnsOf } from '../list/columns.tsx'
import { HistoryDialog } from '../list/history-dialog.tsx'
import { type Column, PersonCell, PlainTable, RowAction } from '../list/list-table.tsx'
import { StatusMark } from '../list/searched-list.tsx'
import { ViewTabs } from '../list/views.tsx'
import { ManageLayout, ReadResult, useAction } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { changeRights, InviteForm, RightsDialog } from './staff-forms.tsx'

/** Manage Staff: who works at the desk, and what each may do there. Source: desk.md 'Staff'. */
export function StaffScreen({ found }: { found: Read<StaffList> }) {
  return (
    <ManageLayout help={false}>
      <ReadResult found={found}>{(list) => <Staff {...list} />}</ReadResult>
    </ManageLayout>
  )
}

/** A job by its name, or what is left of the rights by theirs. */
const jobText = ({ role, rights: held }: Pick<StaffMember, 'role' | 'rights'>): string =>
  role === 'ADMIN' ? 'Owner' : (presetOf(held) ?? 'Own choice')

function Staff({ people, invitations }: StaffList) {
  const { message, done, failure, dismiss, run, ready } = useAction()
  const [changing, setChanging] = useState<StaffMember | null>(null)
  const [removing, setRemoving] = useState<StaffMember | null>(null)
  const [historyOf, setHistoryOf] = useState<{ id: string; name: string } | null>(null)
  const onDone = (says: string): void => {
    setChanging(null)
    setRemoving(null)
    done(says)
  }
  return (
    <>
      <CreatePanel title="Invite somebody" empty={people.length + invitations.length < 2}>
        <InviteForm onInvited={(email) => done(`An invitation was sent to ${email}.`)} />
      </CreatePanel>
      <StatusMessage message={message} className="min-h-8" />
      {failure !== null && <FailureBanner error={failure} onDismiss={dismiss} />}
      {invitations.length > 0 && <OpenInvitations rows={invitations} run={run} ready={ready} />}
      <h2 className="mb-2 text-2xl">People</h2>
      <ViewTabs filters={[]} sorts={[]} />
      <PlainTable
        caption="Staff"
        columns={peopleColumns}
        rows={people}
        idOf={({ _id }) => _id}
        empty="Nobody works here yet."
        actions={(row) => (
          <>
            {row.role !== 'ADMIN' && (
              <>
                <RowAction
                  action="rights"
                  label={`Rights of ${row.name}`}
                  disabled={!ready}
                  onClick={() => setChanging(row)}
                >
                  Rights
                </RowAction>
                <RowAction
                  action="remove"
                  label={`Take all rights from ${row.name}`}
                  disabled={!ready}
                  onClick={() => setRemoving(row)}
                >
                  Remove
                </RowAction>
              </>
            )}
            <RowAction
              action="history"
              label={`History of ${row.name}`}
              disabled={!ready}
              onClick={() => setHistoryOf({ id: row._id, name: row.name })}
            >
              History
            </RowAction>
          </>
        )}
      />
      <p className="mt-4 max-w-prose muted">
        Owners are the accounts with the role ADMIN, on the page of users. They have all rights, and only they
        see this page, make keys and choose who works here.
      </p>
      <RightsDialog of={changing} onDone={onDone} onClose={() => setChanging(null)} />
      <Dialog
        open={removing !== null}
        title={`Take all rights from ${removing?.name ?? ''}?`}
        onClose={() => setRemoving(null)}
      >
        {removing && (
          <Confirm
            action="Take them"
            onClose={() => setRemoving(null)}
            onConfirm={async () => {
              await changeRights(removing, [])
              onDone(`${removing.name} does not work at the desk any more.`)
            }}
          >
            <p>
              From the next press on, {removing.name} sees the shop as customers do. The account and its
              orders stay.
            </p>
          </Confirm>
        )}
      </Dialog>
      <HistoryDialog entity="staff" of={historyOf} onClose={() => setHistoryOf(null)} />
    </>
  )
}

const peopleColumns = columnsOf<'staff', StaffMember>('staff', {
  name: {
    heading: 'Name',
    isName: true,
    cell: (row) => <PersonCell {...row} />,
  },
  job: { heading: 'Job', cell: (row) => <Job of={row} /> },
  login: {
    heading: 'Log-in',
    cell: ({ hasSecondFactor }) =>
      hasSecondFactor ? (
        <Badge tone="good">two steps or passkey</Badge>
      ) : (
        <Badge tone="warn">password alone</Badge>
      ),
  },
  status: { heading: 'Status', cell: ({ status }) => <StatusMark status={status} /> },
})

function Job({ of }: { of: Pick<StaffMember, 'role' | 'rights'> }) {
  return (
    <>
      <Badge tone={of.role === 'ADMIN' ? 'teal' : 'plain'}>{jobText(of)}</Badge>
      {of.role !== 'ADMIN' && (
        <span className="mt-1 block max-w-prose muted">
          {of.rights.map((right) => rightWords[right]).join('; ')}
        </span>
      )}
    </>
  )
}

type InvitationsProps = {
  rows: readonly StaffInvitation[]
} & Pick<ReturnType<typeof useAction>, 'run' | 'ready'>

/** Invitations that nobody took up, to be sent again or revoked. */
function OpenInvitations({ rows, run, ready }: InvitationsProps) {
  const { place, removing } = useFocusAfterRemoval<HTMLDivElement>('revoke')
  return (
    <div ref={place} className="mb-8">
      <h2 className="mb-2 text-2xl">Open invitations</h2>
      <PlainTable
        caption="Open invitations"
        columns={invitationColumns}
        rows={rows}
        idOf={({ id }) => id}
        empty=""
        actions={(row) => (
          <>
            <RowAction
              action="again"
              label={`Send ${row.email} a new link`}
              disabled={!ready}
              onClick={() =>
                void run(async () => {
                  await callApi(inviteStaff, { body: { email: row.email, rights: row.rights } })
                  return `A new link was sent to ${row.email}.`
                })
              }
            >
              New link
            </RowAction>
            <RowAction
              action="revoke"
              label={`Revoke the invitation of ${row.email}`}
              disabled={!ready}
              onClick={() => {
                removing(
                  rows.map(({ id }) => id),
                  row.id,
                )
                void run(async () => {
                  await callApi(revokeStaffInvitation, { params: { id: row.id } })
                  return `The link sent to ${row.email} no longer works.`
                })
              }}
            >
              Revoke
            </RowAction>
          </>
        )}
      />
    </div>
  )
}

const invitationColumns: readonly Column<StaffInvitation>[] = [
  {
    heading: 'Address',
    isName: true,
    cell: ({ email }) => <span className="font-semibold wrap-anywhere">{email}</span>,
  },
  { heading: 'Job', cell: ({ rights: held }) => <Job of={{ role: 'USER', rights: held }} /> },
  {
    heading: 'Until',
    className: 'text-sm',
    cell: ({ expired, expiresAt }) =>
      expired ? <Badge tone="warn">expired</Badge> : <Moment at={expiresAt} />,
  },
]
