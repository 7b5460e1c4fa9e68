import type { InvitationView, PhoneLinkView, SupplierView } from '@befaqt/domain/api/field-api'
import { partyOf } from '@befaqt/domain/supplier'
import { Badge } from '#web/components/badge.tsx'
import { Moment } from '#web/time/time.tsx'
import type { Column } from '../list/list-table.tsx'
import { StatusMark } from '../list/status.tsx'

const traderColumn = <Row extends Pick<SupplierView, 'fisher'>>(): Column<Row> => ({
  heading: 'In records',
  className: 'text-sm wrap-anywhere max-lg:w-full',
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

/** What the list of suppliers shows. */
export const supplierColumns: readonly Column<SupplierView>[] = [
  {
    heading: 'Supplier',
    isName: true,
    cell: ({ name, email }) => (
      <span className="wrap-anywhere">
        <b className="font-semibold">{name}</b>
        <span className="block text-slate text-sm">{email}</span>
      </span>
    ),
  },
  traderColumn(),
  {
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
  { heading: 'Status', cell: ({ status }) => <StatusMark status={status} /> },
]

/** What the list of open invitations shows. */
export const invitationColumns: readonly Column<InvitationView>[] = [
  {
    heading: 'Invited',
    isName: true,
    cell: ({ email }) => <span className="font-semibold wrap-anywhere">{email}</span>,
  },
  traderColumn(),
  linkColumn(),
]

/** What the list of open links of phones shows. */
export const phoneLinkColumns: readonly Column<PhoneLinkView>[] = [
  {
    heading: 'Phone',
    isName: true,
    cell: ({ name }) => <span className="font-semibold wrap-anywhere">{name}</span>,
  },
  {
    heading: 'Of',
    className: 'text-sm wrap-anywhere max-lg:w-full',
    cell: ({ supplier }) => supplier.name,
  },
  linkColumn(),
]
