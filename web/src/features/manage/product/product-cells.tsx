import type { CategoryChoice, ManagedProduct } from '@befaqt/domain/api/manage-api'
import { ProductPatch } from '@befaqt/domain/catalogue'
import { centsFromDecimal, discountLabel, formatDollars, priceLabel } from '@befaqt/domain/money'
import { statuses } from '@befaqt/domain/statuses'
import { parseNumber } from '@befaqt/domain/typed-number'
import type { ReactNode } from 'react'
import { Badge } from '#web/components/badge.tsx'
import { Thumbnail } from '../edited-list/images-field.tsx'
import { InlineCell } from '../edited-list/inline-cell.tsx'
import type { CellField, Cells } from '../edited-list/use-cells.ts'
import { columnsOf, type ListColumns } from '../list/columns.tsx'
import { changedColumn } from '../list/list-table.tsx'
import { StatusMark } from '../list/searched-list.tsx'
import { Planned } from './plan-fields.tsx'

const fields = ['title', 'category_id', 'unit', 'price', 'discount', 'stock', 'status'] as const
type Field = (typeof fields)[number]

/** A field of a product as its form has it, by the same rules. */
const productCell = (
  name: Field,
  label: string,
  input: CellField<ManagedProduct>['input'],
): CellField<ManagedProduct> => ({
  name,
  label,
  input,
  textOf: (row) => String(row[name]),
  read: (text) => {
    const { data, error } = ProductPatch.shape[name].safeParse(
      'inputMode' in input ? parseNumber(text) : text,
    )
    return error ? { error: error.issues[0]?.message ?? '' } : { value: data }
  },
})

/** A product is not sold for nothing, or without a picture, by a slip: it is asked once. */
const onSaleQuestion = ({ price, images, status }: ManagedProduct, value: unknown): string | null => {
  if (value !== 'ACTIVE' || status === 'ACTIVE') return null
  const odd = [...(price === 0 ? ['at $0.00'] : []), ...(images.length === 0 ? ['without a picture'] : [])]
  return odd.length === 0 ? null : `It would be on sale ${odd.join(' and ')}.`
}

/** What of a product is changed in the list itself, in the order of its columns. */
export const productCells = (categories: readonly CategoryChoice[]): readonly CellField<ManagedProduct>[] => [
  productCell('title', 'Title', { inputMode: 'text' }),
  productCell('category_id', 'Category', { options: categories.map(({ _id, title }) => [_id, title]) }),
  productCell('unit', 'Unit', { inputMode: 'text' }),
  productCell('price', 'Price', { inputMode: 'decimal' }),
  productCell('discount', 'Discount', { inputMode: 'numeric' }),
  productCell('stock', 'Stock', { inputMode: 'decimal' }),
  {
    ...productCell('status', 'Status', { options: statuses.map((status) => [status, status]) }),
    question: { of: onSaleQuestion, yes: 'Put on sale' },
  },
]

/** What the list of products shows. */
export function productColumns(cells: Cells<ManagedProduct>): ListColumns<ManagedProduct> {
  const cell = (field: Field, row: ManagedProduct, shown: ReactNode) => (
    <InlineCell cells={cells} row={row} field={field} name={row.title} isLine={lines.includes(field)}>
      {shown}
    </InlineCell>
  )
  return columnsOf<'product', ManagedProduct>('product', {
    product: {
      heading: 'Product',
      sort: 'title',
      isName: true,
      className: 'lg:w-1/3',
      cell: (row) => <Name row={row} cell={cell} />,
    },
    price: {
      heading: 'Price',
      sort: 'price',
      isNumber: true,
      cell: (row) => cell('price', row, <Price {...row} />),
    },
    discount: {
      heading: 'Discount',
      sort: 'discount',
      isNumber: true,
      cell: (row) => (
        <>
          {cell('discount', row, <Discount percent={row.discount} />)}
          <Planned row={row} kind="markdown" />
        </>
      ),
    },
    stock: {
      heading: 'Stock',
      sort: 'stock',
      labelled: true,
      isNumber: true,
      cell: (row) => cell('stock', row, <Stock {...row} />),
    },
    shelf: { heading: 'Shelf', sort: 'shelf', labelled: true, cell: ({ shelfPos }) => shelfPos },
    status: {
      heading: 'Status',
      sort: 'status',
      cell: (row) => (
        <>
          {cell('status', row, <StatusMark status={row.status} />)}
          {row.isDraft && row.status === 'INACTIVE' && (
            <span className="mt-1 block">
              <Badge>draft</Badge>
            </span>
          )}
          <Planned row={row} kind="sale" />
        </>
      ),
    },
    origin: { heading: 'Origin', sort: 'origin', labelled: true, cell: ({ origin }) => origin.join(', ') },
    changed: { ...changedColumn, sort: 'updated' },
  })
}

/** The fields that are changed in the columns that are shown, in their order. */
export const cellsOfColumns = (columns: readonly string[]): readonly Field[] =>
  columns.flatMap((column) => (column === 'product' ? lines : fields.filter((field) => field === column)))

/** '$34.50/kg', and the old price when there is a discount. Source: spec §9. */
function Price({ price, discount, unit }: ManagedProduct) {
  const full = centsFromDecimal(price)
  return (
    <span className="break-words">
      <span className="font-semibold text-lg tabular-nums">{priceLabel(full, discount, unit)}</span>
      {discount > 0 && (
        <s className="ml-2 text-slate tabular-nums lg:block 2xl:inline">
          <span className="sr-only">was </span>
          {formatDollars(full)}
        </s>
      )}
    </span>
  )
}

const Discount = ({ percent }: { percent: number }) => {
  const label = discountLabel(percent)
  return label === null ? <span className="muted">0%off</span> : <Badge tone="teal">{label}</Badge>
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
      <Said stock={stock} tone="text-warn">
        {sellable === 0 ? 'not on sale now' : `of which ${sellable} can be sold`}
      </Said>
    )
  if (stock === 0)
    return (
      <Said stock={0} tone="text-bad">
        sold{'\u00a0'}out
      </Said>
    )
  if (stock > LOW_STOCK) return stock
  return (
    <Said stock={stock} tone="text-warn">
      low
    </Said>
  )
}

/** A number with what it means below it, so that numbers stay in line. */
const Said = ({ stock, tone, children }: { stock: number; tone: string; children: ReactNode }) => (
  <span className={`font-semibold ${tone}`}>
    {stock}
    <span className="lg:sr-only">, </span>
    <span className="lg:block lg:text-sm">{children}</span>
  </span>
)

/** Fields that are lines of text within a cell of the table. */
const lines: readonly Field[] = ['title', 'category_id', 'unit']

type NameProps = {
  row: ManagedProduct
  cell: (field: Field, row: ManagedProduct, shown: ReactNode) => ReactNode
}

function Name({ row, cell }: NameProps) {
  const { images, title, categoryTitle, unit, boxes, recalledBoxes, offSaleBoxes } = row
  return (
    <div className="flex min-w-0 items-center gap-3 max-lg:pr-11">
      <Thumbnail image={images[0]} />
      <div className="grid min-w-0 justify-items-start gap-y-1 wrap-anywhere lg:gap-y-0">
        {cell('title', row, <span className="font-semibold">{title}</span>)}
        <div className="flex flex-wrap items-center gap-x-4">
          {cell('category_id', row, <span className="muted">{categoryTitle}</span>)}
          {cell('unit', row, <span className="muted">by {unit}</span>)}
        </div>
        {boxes.length > 0 && (
          <span className="muted">
            {boxes.length === 1 ? 'box' : 'boxes'} {boxes.map(({ boxID }) => boxID).join(', ')}
          </span>
        )}
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
      </div>
    </div>
  )
}
