import type { Paged } from '@befaqt/domain/api/box-api'
import type { CategoryChoice, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { useState } from 'react'
import { Pagination } from '#web/components/pagination.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { manageCalls } from './calls.ts'
import { CsvPanel } from './csv-panel.tsx'
import { valueText } from './differences.ts'
import { imagesText } from './edited-images.ts'
import { type Filter, FilterBar } from './filter-bar.tsx'
import { AddForm } from './list/add-form.tsx'
import { ManagedTable } from './list/managed-table.tsx'
import type { Resource } from './list/resource.ts'
import { useManagedList } from './list/use-managed-list.ts'
import { ManageFrame } from './manage-frame.tsx'
import { productColumns } from './product-columns.tsx'
import { newProduct, ProductForm, type ProductValues, productBody, productValues } from './product-form.tsx'
import type { Read } from './read.ts'
import { ReadResult } from './read-result.tsx'
import { statusFilter } from './status-filter.ts'

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

/** Products as a list: a category is told by its title. */
function productResource(categories: readonly CategoryChoice[]): Resource<ManagedProduct, ProductValues> {
  const titleOf = (id: unknown): string => categories.find(({ _id }) => _id === id)?.title ?? String(id)
  return {
    entity: 'product',
    nameOf: ({ title }) => title,
    valueText: (field, value) => {
      if (field === 'category_id') return titleOf(value)
      return imagesText(field, value) ?? valueText(value)
    },
    valuesOf: productValues,
    preview: (row, { images, ...fields }) => ({
      ...row,
      ...fields,
      categoryTitle: titleOf(fields.category_id),
      images: images.flatMap(({ path, alt }) =>
        row.images.filter((image) => image.path === path).map((image) => ({ ...image, alt })),
      ),
    }),
    /** A picture that somebody else has removed meanwhile can't be put in order any more. */
    save: (row, { images, ...fields }, onProgress) => {
      const kept = images?.filter(({ file, path }) => file || row.images.some((image) => image.path === path))
      return manageCalls.saveProduct(
        row,
        productBody(kept ? { ...fields, images: kept } : fields),
        onProgress,
      )
    },
    remove: (row) => manageCalls.deleteProduct(row),
  }
}

/** Manage Product: a form for new ones and the list. Source: spec §2. */
export function ProductScreen({ found }: { found: Read<ProductsFound> }) {
  return (
    <ManageFrame title="Manage Product">
      <ReadResult found={found}>{(products) => <Products {...products} />}</ReadResult>
    </ManageFrame>
  )
}

function Products({ products, categories }: ProductsFound) {
  const resource = productResource(categories)
  const list = useManagedList(resource, products)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const select = (id: string, is: boolean) =>
    setSelected((now) => new Set(is ? [...now, id] : [...now].filter((other) => other !== id)))
  return (
    <>
      <AddForm title="Add New Product" empty={products.total === 0}>
        {(props) => (
          <ProductForm
            label="Add New Product"
            start={newProduct}
            categories={categories}
            needsImage
            submit="Add product"
            {...props}
            onSave={async (values, onProgress) =>
              list.add(await manageCalls.createProduct(productBody(values), onProgress))
            }
          />
        )}
      </AddForm>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="text-2xl">Product List</h2>
        <CsvPanel />
      </div>
      <FilterBar
        label="Search products"
        hint="Title or shelf"
        filters={[statusFilter, categoryFilter(categories)]}
        sorts={sorts}
      />
      <BulkBar
        list={list}
        selected={list.rows.filter(({ _id }) => selected.has(_id))}
        onAll={(all) => setSelected(new Set(all ? list.rows.map(({ _id }) => _id) : []))}
      />
      <ManagedTable
        caption="Products"
        resource={resource}
        list={list}
        columns={productColumns}
        empty="No product fits."
        selection={({ _id, title }) => (
          <label className="flex size-11 items-center justify-center lg:min-h-11 lg:w-6">
            <input
              type="checkbox"
              className="size-5 accent-teal"
              data-action="choose"
              aria-label={`Choose ${title}`}
              checked={selected.has(_id)}
              onChange={(event) => select(_id, event.currentTarget.checked)}
            />
          </label>
        )}
        form={({ row, ...props }) => (
          <ProductForm
            label={`Edit ${row.title}`}
            categories={categories}
            needsImage={row.images.length > 0}
            {...props}
          />
        )}
      />
      <Pagination {...list.page} thing="product" things="products" />
    </>
  )
}
