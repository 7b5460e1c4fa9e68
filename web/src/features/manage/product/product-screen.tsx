import type { Paged } from '@befaqt/domain/api/box-api'
import { createProduct, deleteProduct, updateProduct } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { CategoryChoice, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { upload } from '#web/api/upload.ts'
import { Pagination } from '#web/components/pagination.tsx'
import { Price } from '#web/features/catalogue/product-facts.tsx'
import { imagesText } from '../edited-list/edited-images.ts'
import { Thumbnail } from '../edited-list/images-field.tsx'
import { ManagedTable } from '../edited-list/managed-table.tsx'
import type { Resource } from '../edited-list/row-drafts.ts'
import { AddForm } from '../edited-list/typed.tsx'
import { useManagedList } from '../edited-list/use-managed-list.ts'
import type { Column } from '../list/list-table.tsx'
import { type Filter, FilterBar, StatusMark, statusFilter } from '../list/searched-list.tsx'
import { ManageLayout, ReadResult } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { BulkBar } from './bulk-bar.tsx'
import { CsvPanel } from './csv-panel.tsx'
import {
  afterProduct,
  newProductValues,
  ProductForm,
  type ProductValues,
  productBody,
  productValues,
} from './product-form.tsx'
import { productText } from './product-values.ts'

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
      return imagesText(field, value) ?? productText(field, value)
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

function Products({ products, categories }: ProductsFound) {
  const resource = productResource(categories)
  const list = useManagedList(resource, products)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [next, setNext] = useState({ start: newProductValues, made: 0 })
  const select = (id: string, is: boolean) =>
    setSelected((now) => new Set(is ? [...now, id] : [...now].filter((other) => other !== id)))
  return (
    <>
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
        onToggleAll={(all) => setSelected(new Set(all ? list.rows.map(({ _id }) => _id) : []))}
      />
      <ManagedTable
        caption="Products"
        resource={resource}
        list={list}
        columns={productColumns}
        empty="No products match."
        selection={({ _id, title }) => (
          <label className="flex size-11 items-center justify-center lg:min-h-11 lg:w-6">
            <input
              type="checkbox"
              className="size-5 accent-teal"
              data-action="choose"
              aria-label={`Select ${title}`}
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

/** At or below this a product is nearly gone. */
const LOW_STOCK = 5

const Stock = (row: ManagedProduct) => (
  <>
    <InStock {...row} />
    {row.waiting > 0 && (
      <span className="block muted">
        {row.waiting === 1 ? '1 person waits' : `${row.waiting.toLocaleString('en-AU')} people wait`} for it
      </span>
    )}
  </>
)

function InStock({ stock, sellable }: { stock: number; sellable: number }) {
  if (sellable < stock)
    return (
      <span className="font-semibold text-warn">
        {stock}, {sellable === 0 ? 'not on sale now' : `of which ${sellable} can be sold`}
      </span>
    )
  if (stock === 0) return <span className="font-semibold text-bad">0, sold out</span>
  return stock <= LOW_STOCK ? <span className="font-semibold text-warn">{stock}, low</span> : stock
}

function Name({ row }: { row: ManagedProduct }) {
  const { images, title, categoryTitle, boxes, recalledBoxes, offSaleBoxes } = row
  return (
    <div className="flex min-w-0 items-center gap-3 max-lg:pr-11">
      <Thumbnail image={images[0]} />
      <span className="min-w-0 wrap-anywhere">
        <span className="block font-semibold">{title}</span>
        <span className="block muted">
          {categoryTitle}
          {boxes.length > 0 && ` · ${boxes.length === 1 ? 'box' : 'boxes'} `}
          {boxes.map(({ boxID }) => boxID).join(', ')}
        </span>
        {recalledBoxes.length > 0 && (
          <span className="block font-semibold text-bad text-sm">
            {recalledBoxes.join(', ')} {recalledBoxes.length === 1 ? 'is' : 'are'} recalled
          </span>
        )}
        {offSaleBoxes.length > 0 && (
          <span className="block font-semibold text-sm text-warn">
            {offSaleBoxes.join(', ')} {offSaleBoxes.length === 1 ? 'is' : 'are'} off sale
          </span>
        )}
      </span>
    </div>
  )
}

/** What the list of products shows. */
const productColumns: readonly Column<ManagedProduct>[] = [
  { heading: 'Product', sort: 'title', isName: true, cell: (row) => <Name row={row} /> },
  { heading: 'Price', sort: 'price', cell: (row) => <Price product={row} /> },
  { heading: 'Stock', sort: 'stock', labelled: true, cell: (row) => <Stock {...row} /> },
  { heading: 'Shelf', sort: 'shelf', labelled: true, cell: ({ shelfPos }) => shelfPos },
  { heading: 'Status', sort: 'status', cell: ({ status }) => <StatusMark status={status} /> },
]
