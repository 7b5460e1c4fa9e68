import type { Paged } from '@befaqt/domain/api/box-api'
import type { CategoryChoice, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { useState } from 'react'
import { AddPanel } from './add-panel.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { CsvPanel } from './csv-panel.tsx'
import { type Filter, FilterBar } from './filter-bar.tsx'
import { withIds, withoutIds } from './id-set.ts'
import { ListView } from './list-view.tsx'
import { ManageFrame } from './manage-frame.tsx'
import { PagesNav } from './pages-nav.tsx'
import { ProductAdd } from './product-add.tsx'
import { CategoryChoices } from './product-form.tsx'
import { productKind } from './product-kind.tsx'
import type { Read } from './read.ts'
import { ReadFailure } from './read-failure.tsx'
import { statusFilter } from './status-filter.ts'
import { useManagedList } from './use-managed-list.ts'

const sorts = [
  ['title', 'Title'],
  ['price', 'Price'],
  ['discount', 'Discount'],
  ['stock', 'Stock'],
  ['shelf', 'Shelf position'],
  ['status', 'Status'],
  ['updated', 'Last changed'],
] as const

export type ProductsFound = { products: Paged<ManagedProduct>; categories: CategoryChoice[] }

const categoryFilter = (categories: readonly CategoryChoice[]): Filter => ({
  name: 'category',
  label: 'Category',
  all: 'All categories',
  choices: categories.map(({ _id, title }) => [_id, title]),
})

/** Manage Product: a form for new ones and the list. Source: spec §2. */
export function ProductScreen({ found }: { found: Read<ProductsFound> }) {
  return (
    <ManageFrame title="Manage Product">
      {found.data ? <Products {...found.data} /> : <ReadFailure message={found.failure} />}
    </ManageFrame>
  )
}

function Products({ products, categories }: ProductsFound) {
  const kind = productKind(categories)
  const list = useManagedList(kind, products.rows)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const shown = list.rows.filter(({ _id }) => chosen.has(_id))
  const choose = (id: string, is: boolean) =>
    setChosen((now) => (is ? withIds(now, [id]) : withoutIds(now, [id])))
  const created = (made: ManagedProduct) => {
    list.add(made)
    list.say(`Added ${made.title}.`)
  }
  const filters = [statusFilter, categoryFilter(categories)]
  return (
    <CategoryChoices value={categories}>
      <AddPanel title="Add New Product" empty={products.total === 0}>
        <ProductAdd onCreated={created} />
      </AddPanel>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="text-2xl">Product List</h2>
        <CsvPanel />
      </div>
      <FilterBar label="Search products" hint="Title or shelf" filters={filters} sorts={sorts} />
      <BulkBar
        list={list}
        chosen={shown}
        onAll={(all) => setChosen(new Set(all ? list.rows.map(({ _id }) => _id) : []))}
      />
      <ListView
        label="Products"
        kind={kind}
        list={list}
        empty="No product fits."
        tick={(row) => (
          <label className="flex min-h-11 items-center justify-center max-lg:absolute max-lg:top-0 max-lg:right-0 max-lg:w-11">
            <input
              type="checkbox"
              className="size-5 accent-teal"
              data-action="choose"
              aria-label={`Choose ${row.title}`}
              checked={chosen.has(row._id)}
              onChange={(event) => choose(row._id, event.currentTarget.checked)}
            />
          </label>
        )}
      />
      <PagesNav {...products} thing="product" things="products" />
    </CategoryChoices>
  )
}
