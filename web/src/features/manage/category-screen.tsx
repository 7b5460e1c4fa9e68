import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { useRevalidator } from 'react-router'
import { AddPanel } from './add-panel.tsx'
import { CategoryAdd } from './category-add.tsx'
import { categoryKind } from './category-kind.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ListView } from './list-view.tsx'
import { ManageFrame } from './manage-frame.tsx'
import { PagesNav } from './pages-nav.tsx'
import type { Read } from './read.ts'
import { ReadFailure } from './read-failure.tsx'
import { statusFilter } from './status-filter.ts'
import { useManagedList } from './use-managed-list.ts'

const sorts = [
  ['title', 'Title'],
  ['shelf', 'Shelf position'],
  ['status', 'Status'],
  ['updated', 'Last changed'],
] as const

/** Manage Category: a form for new ones and the list. Source: spec §2. */
export function CategoryScreen({ found }: { found: Read<Paged<ManagedCategory>> }) {
  return (
    <ManageFrame title="Manage Category">
      {found.data ? <Categories page={found.data} /> : <ReadFailure message={found.failure} />}
    </ManageFrame>
  )
}

function Categories({ page }: { page: Paged<ManagedCategory> }) {
  const { revalidate } = useRevalidator()
  const kind = categoryKind(() => void revalidate())
  const list = useManagedList(kind, page.rows)
  const created = (made: ManagedCategory) => {
    list.add(made)
    list.say(`Added ${made.title}.`)
    void revalidate()
  }
  return (
    <>
      <AddPanel title="Add New Category" empty={page.total === 0}>
        <CategoryAdd onCreated={created} />
      </AddPanel>
      <h2 className="mb-4 text-2xl">Category List</h2>
      <FilterBar
        label="Search categories"
        hint="Title or description"
        filters={[statusFilter]}
        sorts={sorts}
      />
      <ListView label="Categories" kind={kind} list={list} empty="No category fits." />
      <PagesNav {...page} thing="category" things="categories" />
    </>
  )
}
