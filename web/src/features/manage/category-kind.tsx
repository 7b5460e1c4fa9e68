import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { Link } from 'react-router'
import { CategoryIcon } from '#web/features/catalogue/category-icon.tsx'
import { manageCalls } from './calls.ts'
import { type CategoryDraft, CategoryForm, categoryBody } from './category-form.tsx'
import { shownValue } from './differences.ts'
import type { ListKind } from './list-kind.ts'
import { StatusMark } from './status-mark.tsx'
import { Thumbnail } from './thumbnail.tsx'

function Cells({ row }: { row: ManagedCategory }) {
  return (
    <>
      <div className="flex min-w-0 items-center gap-3 max-lg:w-full">
        <Thumbnail image={row.image} />
        <span className="flex min-w-0 items-center gap-2 font-semibold">
          <CategoryIcon icon={row.icon} className="size-5" />
          <span className="min-w-0 wrap-anywhere">{row.title}</span>
        </span>
      </div>
      <span className="line-clamp-2 min-w-0 text-slate text-sm max-lg:w-full">{row.description}</span>
      <span>
        <span className="text-slate lg:sr-only">Shelf </span>
        {row.shelfPos}
      </span>
      <Link className="link" to={`/manage/product?category=${encodeURIComponent(row._id)}`}>
        {row.products} {row.products === 1 ? 'product' : 'products'}
      </Link>
      <span>
        <StatusMark status={row.status} />
      </span>
    </>
  )
}

/** How categories are listed and changed. `settled`: the navigation bar shows them too. */
export const categoryKind = (settled: () => void): ListKind<ManagedCategory, CategoryDraft> => ({
  entity: 'category',
  nameOf: ({ title }) => title,
  said: (_, value) => shownValue(value),
  columns: [
    ['title', 'Category'],
    ['', 'Description'],
    ['shelf', 'Shelf'],
    ['', 'Products'],
    ['status', 'Status'],
    ['', ''],
  ],
  grid: 'lg:grid-cols-[minmax(14rem,1.2fr)_minmax(10rem,1.5fr)_4rem_7rem_6.5rem_15rem]',
  Cells,
  Form: CategoryForm,
  preview: (row, { images, ...fields }) => ({ ...row, ...fields }),
  save: (row, draft, onProgress) => manageCalls.saveCategory(row, categoryBody(draft), onProgress),
  remove: (row) => manageCalls.deleteCategory(row),
  settled,
})
