import type { Paged } from '@befaqt/domain/api/box-api'
import { createProduct, deleteProduct, updateProduct } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { CategoryChoice, LinkedPictures as Linked, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { upload } from '#web/api/upload.ts'
import { ListPlaces } from '#web/components/list-places.tsx'
import { imagesText } from '../edited-list/edited-images.ts'
import { CellNews } from '../edited-list/inline-cell.tsx'
import { ManagedTable } from '../edited-list/managed-table.tsx'
import type { Resource } from '../edited-list/row-drafts.ts'
import { AddForm } from '../edited-list/typed.tsx'
import { useCells } from '../edited-list/use-cells.ts'
import { useManagedList } from '../edited-list/use-managed-list.ts'
import { useColumnNames } from '../list/columns.tsx'
import { type Filter, FilterBar, statusFilter } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import { DRAFT, productFilter, type Read } from '../read.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CsvPanel } from './csv-panel.tsx'
import { LinkedPictures } from './linked-pictures.tsx'
import { DropPlace, PicturesPanel } from './picture-drop.tsx'
import { planText } from './plan.ts'
import { useMarketZone } from './plan-fields.tsx'
import { cellsOfColumns, productCells, productColumns } from './product-cells.tsx'
import { ProductForm } from './product-form.tsx'
import {
  afterProduct,
  newProductValues,
  type ProductValues,
  productBody,
  productText,
  productValues,
} from './product-values.ts'
import { useDrop } from './use-drop.ts'

const sorts = [
  ['title', 'Title'],
  ['price', 'Price'],
  ['discount', 'Discount'],
  ['stock', 'Stock'],
  ['shelf', 'Shelf position'],
  ['origin', 'Origin'],
  ['status', 'Status'],
  ['updated', 'Last changed'],
] as const

export type ProductsFound = {
  products: Paged<ManagedProduct>
  categories: CategoryChoice[]
  /** Pictures that are to be fetched. */
  linked: Linked
}

const productStatus: Filter = { ...statusFilter, choices: [...statusFilter.choices, [DRAFT, 'Drafts']] }

const categoryFilter = (categories: readonly CategoryChoice[]): Filter => ({
  name: 'category',
  label: 'Category',
  all: 'All categories',
  choices: categories.map(({ _id, title }) => [_id, title]),
})

/** Products as a list: a category is told by its title. */
function productResource(
  categories: readonly CategoryChoice[],
  timeZone: string,
): Resource<ManagedProduct, ProductValues> {
  const titleOf = (id: unknown): string => categories.find(({ _id }) => _id === id)?.title ?? String(id)
  return {
    entity: 'product',
    nameOf: ({ title }) => title,
    valueText: (field, value) => {
      if (field === 'category_id') return titleOf(value)
      if (field === 'schedule') return planText(value, timeZone)
      return imagesText(field, value) ?? productText(field, value)
    },
    valuesOf: (row) => productValues(row, timeZone),
    preview: (row, { images, schedule: _, ...fields }) => ({
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
      const body = productBody(kept ? { ...fields, images: kept } : fields)
      const input = { params: { id: row._id }, body, version: row.version }
      return upload(updateProduct, input, onProgress)
    },
    remove: ({ _id, version }) => callApi(deleteProduct, { params: { id: _id }, version }),
  }
}

/** Manage Product: a form for new ones and the list. Source: spec §2. */
export function ProductScreen({ found }: { found: Read<ProductsFound> }) {
  return (
    <ManageLayout>
      <ReadResult found={found}>{(products) => <Products {...products} />}</ReadResult>
    </ManageLayout>
  )
}

function Products({ products, categories, linked }: ProductsFound) {
  const resource = productResource(categories, useMarketZone())
  const list = useManagedList(resource, products)
  const cells = useCells(resource, list, productCells(categories), cellsOfColumns(useColumnNames('product')))
  const drop = useDrop(categories)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [next, setNext] = useState({ start: newProductValues, made: 0 })
  const [params] = useSearchParams()
  const [wide, setWide] = useState<string | null>(null)
  const all = { filter: productFilter(params), count: list.page.total }
  /** All that match, as long as they are what and as many as they were when they were selected. */
  const everything = wide === JSON.stringify(all) ? all : null
  const choose = (ids: readonly string[]) => {
    setWide(null)
    setSelected(new Set(ids))
  }
  const select = (id: string, is: boolean) => {
    const now = everything ? list.rows.map(({ _id }) => _id) : [...selected]
    choose(is ? [...now, id] : now.filter((other) => other !== id))
  }
  const isSelected = (id: string): boolean => everything !== null || selected.has(id)
  return (
    <>
      <div className="grid gap-x-4 *:open:col-span-full md:grid-cols-2">
        <AddForm title="Add New Product" empty={products.total === 0}>
          {(props) => (
            <ProductForm
              key={next.made}
              label="Add New Product"
              start={next.start}
              categories={categories}
              needsImage
              submit="Add product"
              {...props}
              {...(next.made > 0 && { typed: null, isNext: true })}
              onSave={async (values, onProgress) => {
                list.add(await upload(createProduct, { body: productBody(values) }, onProgress))
                setNext(({ made }) => ({ start: afterProduct(values), made: made + 1 }))
              }}
            />
          )}
        </AddForm>
        <PicturesPanel drop={drop} />
      </div>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 className="text-2xl">Product List</h2>
        <CsvPanel />
      </div>
      <LinkedPictures found={linked} />
      <FilterBar
        label="Search products"
        hint="Title or shelf"
        filters={[productStatus, categoryFilter(categories)]}
        sorts={sorts}
      />
      <BulkBar
        list={list}
        categories={categories}
        selected={list.rows.filter(({ _id }) => isSelected(_id))}
        everything={everything}
        valueText={resource.valueText}
        onToggleAll={(all) => choose(all ? list.rows.map(({ _id }) => _id) : [])}
        onEverything={(is) => {
          choose(list.rows.map(({ _id }) => _id))
          if (is) setWide(JSON.stringify(all))
        }}
      />
      <DropPlace drop={drop} label="Products, drop place for pictures">
        <ManagedTable
          caption="Products"
          resource={resource}
          list={{ ...list, rows: cells.rows }}
          columns={productColumns(cells)}
          empty="No products match."
          selection={({ _id, title }) => (
            <label className="flex size-11 items-center justify-center lg:min-h-11 lg:w-6">
              <input
                type="checkbox"
                className="size-5 accent-teal"
                data-action="choose"
                aria-label={`Select ${title}`}
                checked={isSelected(_id)}
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
      </DropPlace>
      <CellNews cells={cells} />
      <ListPlaces {...list.page} thing="product" things="products" />
    </>
  )
}
