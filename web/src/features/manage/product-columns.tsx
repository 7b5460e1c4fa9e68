import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { Price } from '#web/features/catalogue/price.tsx'
import type { Column } from './list/list-table.tsx'
import { StatusMark } from './status-mark.tsx'
import { Thumbnail } from './thumbnail.tsx'

/** At or below this a product is nearly gone. */
const LOW_STOCK = 5

function Stock({ stock }: { stock: number }) {
  if (stock === 0) return <span className="font-semibold text-bad">0, sold out</span>
  return stock <= LOW_STOCK ? <span className="font-semibold text-warn">{stock}, low</span> : stock
}

function Name({ row }: { row: ManagedProduct }) {
  const { images, title, categoryTitle, boxes } = row
  return (
    <div className="flex min-w-0 items-center gap-3 max-lg:pr-11">
      <Thumbnail image={images[0]} />
      <span className="min-w-0 wrap-anywhere">
        <span className="block font-semibold">{title}</span>
        <span className="block text-slate text-sm">
          {categoryTitle}
          {boxes.length > 0 && ` · ${boxes.length === 1 ? 'box' : 'boxes'} `}
          {boxes.map(({ boxID }) => boxID).join(', ')}
        </span>
      </span>
    </div>
  )
}

/** What the list of products shows. */
export const productColumns: readonly Column<ManagedProduct>[] = [
  { heading: 'Product', sort: 'title', isName: true, cell: (row) => <Name row={row} /> },
  { heading: 'Price', sort: 'price', cell: (row) => <Price product={row} /> },
  { heading: 'Stock', sort: 'stock', labelled: true, cell: ({ stock }) => <Stock stock={stock} /> },
  { heading: 'Shelf', sort: 'shelf', labelled: true, cell: ({ shelfPos }) => shelfPos },
  { heading: 'Status', sort: 'status', cell: ({ status }) => <StatusMark status={status} /> },
]
