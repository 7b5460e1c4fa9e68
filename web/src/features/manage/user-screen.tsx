import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { FilterBar } from './filter-bar.tsx'
import { ListView } from './list-view.tsx'
import { ManageFrame } from './manage-frame.tsx'
import { PagesNav } from './pages-nav.tsx'
import type { Read } from './read.ts'
import { ReadFailure } from './read-failure.tsx'
import { statusFilter } from './status-filter.ts'
import { useManagedList } from './use-managed-list.ts'
import { userKind } from './user-kind.tsx'

const sorts = [
  ['name', 'Name'],
  ['email', 'Email'],
  ['role', 'Role'],
  ['status', 'Status'],
  ['created', 'Since when'],
] as const

/** Manage User: a list only; accounts are made by their owners. Source: spec §2. */
export function UserScreen({ found }: { found: Read<Paged<ManagedUser>> }) {
  return (
    <ManageFrame title="Manage User">
      <FilterBar label="Search users" hint="Name, email or phone" filters={[statusFilter]} sorts={sorts} />
      {found.data ? <Users page={found.data} /> : <ReadFailure message={found.failure} />}
    </ManageFrame>
  )
}

function Users({ page }: { page: Paged<ManagedUser> }) {
  const list = useManagedList(userKind, page.rows)
  return (
    <>
      <ListView label="Users" kind={userKind} list={list} empty="No account fits." />
      <PagesNav {...page} thing="user" things="users" />
    </>
  )
}
