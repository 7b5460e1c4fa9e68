import type { CategoryInput } from '@befaqt/domain/catalogue'
import { titleKey } from '@befaqt/domain/page-paths'
import { sql } from 'drizzle-orm'
import { type ColumnMap, type StoredColumns, storedColumns } from '#server/db/column-map.ts'
import { numbersPadded, searchNormalized } from '#server/db/schema/columns.ts'
import { categories } from '#server/db/schema/shop.ts'

export const byTitle = sql`${searchNormalized(categories.title)} collate "C"`
export const byShelf = sql`${numbersPadded(categories.shelfPos)} collate "C"`

/**
 * The editable columns of a category, each defined once: see `product-columns.ts`. Its image has columns of its own.
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
