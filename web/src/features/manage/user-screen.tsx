import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { Badge } from '#web/components/badge.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { manageCalls } from './calls.ts'
import { valueText } from './differences.ts'
import { FilterBar } from './filter-bar.tsx'
import type { UserForm as Values } from './form-values.ts'
import type { Column } from './list/list-table.tsx'
import { ManagedTable } from './list/managed-table.tsx'
import type { Resource } from './list/resource.ts'
import { useManagedList } from './list/use-managed-list.ts'
import { ManageFrame } from './manage-frame.tsx'
import type { Read } from './read.ts'
import { ReadResult } from './read-result.tsx'
import { statusFilter } from './status-filter.ts'
import { StatusMark } from './status-mark.tsx'
import { UserForm } from './user-form.tsx'

const sorts = [
  ['name', 'Name'],
  ['email', 'Email'],
  ['role', 'Role'],
  ['status', 'Status'],
  ['created', 'Since when'],
] as const

const nameOf = ({ fname, lname }: ManagedUser): string => `${fname} ${lname}`

const columns: readonly Column<ManagedUser>[] = [
  {
    heading: 'Name',
    sort: 'name',
    isName: true,
    cell: (row) => <span className="font-semibold wrap-anywhere">{nameOf(row)}</span>,
  },
  { heading: 'Email', sort: 'email', cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
  {
    heading: 'Phone',
    className: "text-slate max-lg:empty:hidden lg:empty:before:content-['–']",
    cell: ({ phone }) => phone,
  },
  {
    heading: 'Role',
    sort: 'role',
    cell: ({ role }) => <Badge tone={role === 'ADMIN' ? 'teal' : 'plain'}>{role}</Badge>,
  },
  { heading: 'Status', sort: 'status', cell: ({ status }) => <StatusMark status={status} /> },
]

const resource: Resource<ManagedUser, Values> = {
  entity: 'user',
  nameOf,
  valueText: (_, value) => valueText(value),
  valuesOf: ({ fname, lname, role, status }) => ({ fname, lname, role, status }),
  preview: (row, values) => ({ ...row, ...values }),
  save: (row, changes) => manageCalls.saveUser(row, changes),
  remove: (row) => manageCalls.deleteUser(row),
}

/** Manage User: a list only; accounts are made by their owners. Source: spec §2. */
export function UserScreen({ found }: { found: Read<Paged<ManagedUser>> }) {
  return (
    <ManageFrame title="Manage User">
      <FilterBar label="Search users" hint="Name, email or phone" filters={[statusFilter]} sorts={sorts} />
      <ReadResult found={found}>{(page) => <Users loaded={page} />}</ReadResult>
    </ManageFrame>
  )
}

function Users({ loaded }: { loaded: Paged<ManagedUser> }) {
  const list = useManagedList(resource, loaded)
  return (
    <>
      <ManagedTable
        caption="Users"
        resource={resource}
        list={list}
        columns={columns}
        empty="No account fits."
        form={(props) => <UserForm {...props} />}
      />
      <Pagination {...list.page} thing="user" things="users" />
    </>
  )
}
