import type { CategoryChoice, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { Price } from '#web/features/catalogue/price.tsx'
import { manageCalls } from './calls.ts'
import { shownValue } from './differences.ts'
import type { ListKind } from './list-kind.ts'
import { type ProductDraft, ProductForm, productBody } from './product-form.tsx'
import { StatusMark } from './status-mark.tsx'
import { Thumbnail } from './thumbnail.tsx'

/** At or below this a product is nearly gone. */
const LOW_STOCK = 5

function Stock({ stock }: { stock: number }) {
  if (stock === 0) return <span className="font-semibold text-bad">0, sold out</span>
  return stock <= LOW_STOCK ? <span className="font-semibold text-warn">{stock}, low</span> : stock
}

function Cells({ row }: { row: ManagedProduct }) {
  return (
    <>
      <div className="flex min-w-0 items-center gap-3 max-lg:w-full max-lg:pr-11">
        <Thumbnail image={row.images[0]} />
        <span className="min-w-0">
          <span className="block font-semibold">{row.title}</span>
          <span className="block text-slate text-sm">
            {row.categoryTitle}
            {row.boxes.length > 0 && ` · ${row.boxes.length === 1 ? 'box' : 'boxes'} `}
            {row.boxes.map(({ boxID }) => boxID).join(', ')}
          </span>
        </span>
      </div>
      <Price product={row} />
      <span>
        <span className="text-slate lg:sr-only">Stock </span>
        <Stock stock={row.stock} />
      </span>
      <span>
        <span className="text-slate lg:sr-only">Shelf </span>
        {row.shelfPos}
      </span>
      <span>
        <StatusMark status={row.status} />
      </span>
    </>
  )
}

/** How products are listed and changed. `settled`: something else of the page may show them too. */
export const productKind = (
  categories: readonly CategoryChoice[],
): ListKind<ManagedProduct, ProductDraft> => {
  const titleOf = (id: unknown): string => categories.find(({ _id }) => _id === id)?.title ?? String(id)
  return {
    entity: 'product',
    nameOf: ({ title }) => title,
    said: (field, value) => (field === 'category_id' ? titleOf(value) : shownValue(value)),
    columns: [
      ['', ''],
      ['title', 'Product'],
      ['price', 'Price'],
      ['stock', 'Stock'],
      ['shelf', 'Shelf'],
      ['status', 'Status'],
      ['', ''],
    ],
    grid: 'lg:grid-cols-[1.5rem_minmax(14rem,1fr)_11rem_6rem_4rem_6.5rem_15rem]',
    Cells,
    Form: ProductForm,
    preview: (row, { images, ...fields }) => ({
      ...row,
      ...fields,
      categoryTitle: titleOf(fields.category_id),
      images: images.flatMap(({ path, alt }) =>
        row.images.filter((image) => image.path === path).map((image) => ({ ...image, alt })),
      ),
      imagePaths: images.flatMap(({ path }) => path ?? []),
    }),
    save: (row, draft, onProgress) => manageCalls.saveProduct(row, productBody(draft), onProgress),
    remove: (row) => manageCalls.deleteProduct(row),
  }
}
