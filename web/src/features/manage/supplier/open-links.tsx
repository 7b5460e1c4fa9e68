import { inviteSupplier, revokeInvitation, revokePhoneLink } from '@befaqt/domain/api/endpoints/suppliers'
import type { InvitationView, PhoneLinkView, SupplierView } from '@befaqt/domain/api/field-api'
import { partyOf } from '@befaqt/domain/supplier'
import { type ReactNode, useId, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Badge } from '#web/components/badge.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { Moment } from '#web/time/time.tsx'
import { Confirm } from '../form-parts.tsx'
import { type Column, PlainTable, RowAction } from '../list/list-table.tsx'
import type { Action } from '../manage-layout.tsx'

type ListProps<Row> = {
  rows: readonly Row[]
  action: Action
  /** Hears which of all rows is about to go, so that the focus is handed on. */
  removing: (ids: readonly string[], id: string) => void
}

/** Invitations that were not used, to be sent again or revoked. */
export function OpenInvitations(props: ListProps<InvitationView>) {
  const { action } = props
  const again = ({ email, fisher }: InvitationView) =>
    action.run(async () => {
      await callApi(inviteSupplier, { body: { email, fisher } })
      return `A new link was sent to ${email}.`
    })
  return (
    <OpenLinks
      {...props}
      title="Open invitations"
      columns={invitationColumns}
      nameOf={({ email }) => `the invitation of ${email}`}
      lost="The link that was sent no longer works. Who they are in records has to be typed again to invite them."
      revoke={async ({ id, email }) => {
        await callApi(revokeInvitation, { params: { id } })
        return `The link sent to ${email} no longer works.`
      }}
      actions={(row) => (
        <RowAction
          action="again"
          label={`Send ${row.email} a new link`}
          disabled={!action.ready}
          onClick={() => void again(row)}
        >
          New link
        </RowAction>
      )}
    />
  )
}

/** Links of phones that were not used, to be revoked. */
export const OpenPhoneLinks = (props: ListProps<PhoneLinkView>) => (
  <OpenLinks
    {...props}
    title="Open links of phones"
    columns={phoneLinkColumns}
    nameOf={({ name }) => `the link of ${name}`}
    lost="No phone can be registered by it any more. You can make another."
    revoke={async ({ id, name }) => {
      await callApi(revokePhoneLink, { params: { id } })
      return `The link of ${name} no longer works.`
    }}
  />
)

type Props<Row> = ListProps<Row> & {
  title: string
  columns: readonly Column<Row>[]
  /** What is revoked, as a sentence goes on. */
  nameOf: (row: Row) => string
  /** What revoking means. */
  lost: string
  /** Says what it did. */
  revoke: (row: Row) => Promise<string>
  actions?: (row: Row) => ReactNode
}

/** Links that work until they are used, each revoked after a question; nothing where there are none. */
function OpenLinks<Row extends { id: string }>(props: Props<Row>) {
  const { title, columns, rows, action, removing, nameOf, lost, revoke, actions } = props
  const [asked, setAsked] = useState<Row | null>(null)
  const heading = useId()
  return (
    <>
      {rows.length > 0 && (
        <section aria-labelledby={heading} className="mb-8">
          <h2 id={heading} className="mb-2 text-2xl">
            {title}
          </h2>
          <PlainTable
            caption={title}
            columns={columns}
            rows={rows}
            idOf={({ id }) => id}
            actions={(row) => (
              <>
                {actions?.(row)}
                <RowAction
                  action="revoke"
                  label={`Revoke ${nameOf(row)}`}
                  disabled={!action.ready}
                  onClick={() => setAsked(row)}
                >
                  Revoke
                </RowAction>
              </>
            )}
          />
        </section>
      )}
      <Dialog
        open={asked !== null}
        title={`Revoke ${asked ? nameOf(asked) : ''}?`}
        onClose={() => setAsked(null)}
      >
        {asked && (
          <Confirm
            action="Revoke it for good"
            onClose={() => setAsked(null)}
            onConfirm={async () => {
              const message = await revoke(asked)
              removing(
                rows.map(({ id }) => id),
                asked.id,
              )
              setAsked(null)
              action.done(message)
            }}
          >
            <p>{lost}</p>
          </Confirm>
        )}
      </Dialog>
    </>
  )
}

/** Who a supplier is in records. */
export const traderColumn = <Row extends Pick<SupplierView, 'fisher'>>(): Column<Row> => ({
  heading: 'In records',
  className: 'text-sm wrap-anywhere max-sm:w-full',
  cell: ({ fisher }) => (
    <>
      {partyOf(fisher)}
      <span className="block text-slate">
        {fisher.traderID}
        {fisher.boat && ` · ${fisher.boat}`}
      </span>
    </>
  ),
})

const linkColumn = <Row extends Pick<InvitationView, 'expired' | 'expiresAt'>>(): Column<Row> => ({
  heading: 'Link',
  className: 'text-sm',
  cell: ({ expired, expiresAt }) =>
    expired ? (
      <Badge tone="bad">expired</Badge>
    ) : (
      <>
        works until <Moment at={expiresAt} />
      </>
    ),
})

/** What the list of open invitations shows. */
const invitationColumns: readonly Column<InvitationView>[] = [
  {
    heading: 'Invited',
    isName: true,
    className: 'lg:min-w-56',
    cell: ({ email }) => <span className="font-semibold wrap-anywhere">{email}</span>,
  },
  traderColumn(),
  linkColumn(),
]

/** What the list of open links of phones shows. */
const phoneLinkColumns: readonly Column<PhoneLinkView>[] = [
  {
    heading: 'Phone',
    isName: true,
    cell: ({ name }) => <span className="font-semibold wrap-anywhere">{name}</span>,
  },
  {
    heading: 'Of',
    className: 'text-sm wrap-anywhere max-sm:w-full',
    cell: ({ supplier }) => supplier.name,
  },
  linkColumn(),
]
