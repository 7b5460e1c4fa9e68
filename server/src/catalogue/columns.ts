import type { CategoryInput, ProductInput } from '@befaqt/domain/catalogue'
import type { Allergen } from '@befaqt/domain/labelling'
import { cents, centsFromDecimal, decimalFromCents } from '@befaqt/domain/money'
import { titleKey } from '@befaqt/domain/page-paths'
import { type Preparation, preparationsText } from '@befaqt/domain/preparation'
import type { Schedule } from '@befaqt/domain/schedule'
import { sql } from 'drizzle-orm'
import { type ColumnMap, type Conversion, type StoredColumns, storedColumns } from '#server/db/column-map.ts'
import { numbersPadded, searchNormalized } from '#server/db/schema/columns.ts'
import { categories, products } from '#server/db/schema/shop.ts'

/** Whole cents in the database, decimals in the API as the specification has them. */
const dollars: Conversion<number, number> = {
  show: (amount) => decimalFromCents(cents(amount)),
  store: centsFromDecimal,
  cell: (price) => price.toFixed(2),
}

/** Grams in the database, kilograms in the API and in files. */
const kilograms: Conversion<number, number> = {
  show: (grams) => grams / 1_000,
  store: (kilos) => Math.round(kilos * 1_000),
  cell: String,
}

/** A list as text in the database and in files, with commas between. */
const list = <Item extends string>(): Conversion<string, Item[]> => ({
  show: (text) => (text === '' ? [] : (text.split(', ') as Item[])),
  store: (items) => items.join(', '),
  cell: (items) => items.join(', '),
})

/** Alike in the database and in the API; text in files. */
const prepared: Conversion<Preparation[], Preparation[]> = {
  show: (all) => all,
  store: (all) => all,
  cell: preparationsText,
}

/**
 * The editable columns of a product, each defined once. Views, writes, audit, forms, CSV and sorting are derived from
 * them; their order is that of CSV columns. Images and boxes have tables of their own.
 */
export const productColumns = {
  table: products,
  columns: {
    title: { column: 'title', sort: { key: 'title', by: products.search } },
    category_id: { column: 'categoryId', heading: 'category' }, // files have its title
    price: { column: 'priceCents', as: dollars, sort: { key: 'price', by: products.priceCents } },
    unit: { column: 'unit' },
    includeGST: { column: 'includeGst' },
    discount: { column: 'discount', sort: { key: 'discount', by: products.discount } },
    stock: { column: 'stock', sort: { key: 'stock', by: products.stock } },
    shelfPos: { column: 'shelfPos', sort: { key: 'shelf', by: products.shelfKey } },
    status: { column: 'status', sort: { key: 'status', by: products.status } },
    origin: { column: 'origin', as: list<string>(), sort: { key: 'origin', by: products.origin } },
    allergens: { column: 'allergens', as: list<Allergen>() },
    pieceWeight: { column: 'pieceWeight' },
    orderLimit: { column: 'orderLimit' },
    step: { column: 'stepGrams', as: kilograms },
    preparations: { column: 'preparations', as: prepared },
    description: { column: 'description' },
  },
} as const satisfies ColumnMap<typeof products, ProductInput>

/** The same with what only staff see: what is planned of a product. Files don't have it. */
export const managedColumns = {
  table: products,
  columns: { ...productColumns.columns, schedule: { column: 'schedule' } },
} as const satisfies ColumnMap<typeof products, ProductInput & { schedule: Schedule }>

/** Columns with values that managers type. */
export type ProductColumns = StoredColumns<typeof productColumns>

export const byTitle = sql`${searchNormalized(categories.title)} collate "C"`
export const byShelf = sql`${numbersPadded(categories.shelfPos)} collate "C"`

/**
 * The editable columns of a category, each defined once, as those of a product. Its image has columns of its own.
 */
export const categoryColumns = {
  table: categories,
  columns: {
    title: { column: 'title', sort: { key: 'title', by: byTitle } },
    icon: { column: 'icon' },
    description: { column: 'description' },
    shelfPos: { column: 'shelfPos', sort: { key: 'shelf', by: byShelf } },
    status: { column: 'status', sort: { key: 'status', by: categories.status } },
  },
} as const satisfies ColumnMap<typeof categories, CategoryInput>

type Stored = StoredColumns<typeof categoryColumns> & { titleKey: string }

/** The columns of a typed category; a title comes with the key by which it is found and is unique. */
export function storedCategory(typed: CategoryInput): Stored
export function storedCategory(
  typed: {
    [Field in keyof CategoryInput]?: CategoryInput[Field] | undefined
  },
): Partial<Stored>
export function storedCategory(
  typed: {
    [Field in keyof CategoryInput]?: CategoryInput[Field] | undefined
  },
): Partial<Stored> {
  const { title } = typed
  return {
    ...storedColumns(categoryColumns, typed),
    ...(title !== undefined && { titleKey: titleKey(title) }),
  }
}
