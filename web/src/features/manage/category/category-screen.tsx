import type { Paged } from '@befaqt/domain/api/box-api'
import { createCategory, deleteCategory, updateCategory } from '@befaqt/domain/api/endpoints/categories'
import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { upload } from '#web/api/upload.ts'
import { Pagination } from '#web/components/pagination.tsx'
import { CategoryIcon } from '#web/features/catalogue/category-icon.tsx'
import { imagesText } from '../images/edited-images.ts'
import { Thumbnail } from '../images/images-field.tsx'
import { AddForm } from '../list/add-form.tsx'
import { valueText } from '../list/differences.ts'
import { FilterBar } from '../list/filter-bar.tsx'
import type { Column } from '../list/list-table.tsx'
import { ManagedTable } from '../list/managed-table.tsx'
import type { Resource } from '../list/resource.ts'
import { StatusMark, statusFilter } from '../list/status.tsx'
import { useManagedList } from '../list/use-managed-list.ts'
import { ManageLayout } from '../manage-layout.tsx'
import type { Read } from '../read.ts'
import { ReadResult } from '../read-result.tsx'
import {
  CategoryForm,
  type CategoryValues,
  categoryBody,
  categoryValues,
  newCategoryValues,
} from './category-form.tsx'

const sorts = [
  ['title', 'Title'],
  ['shelf', 'Shelf position'],
  ['status', 'Status'],
  ['updated', 'Last changed'],
] as const

const columns: readonly Column<ManagedCategory>[] = [
  {
    heading: 'Category',
    sort: 'title',
    isName: true,
    className: 'lg:min-w-56',
    cell: ({ image, icon, title }) => (
      <div className="flex min-w-0 items-center gap-3">
        <Thumbnail image={image} />
        <span className="flex min-w-0 items-center gap-2 font-semibold">
          <CategoryIcon icon={icon} className="size-5" />
          <span className="min-w-0 wrap-anywhere">{title}</span>
        </span>
      </div>
    ),
  },
  {
    heading: 'Description',
    className: 'max-lg:w-full',
    cell: ({ description }) => (
      <span className="line-clamp-2 min-w-0 text-slate text-sm wrap-anywhere">{description}</span>
    ),
  },
  { heading: 'Shelf', sort: 'shelf', labelled: true, cell: ({ shelfPos }) => shelfPos },
  {
    heading: 'Products',
    className: 'lg:whitespace-nowrap',
    cell: ({ _id, products }) => (
      <Link className="link" to={`/manage/product?category=${encodeURIComponent(_id)}`}>
        {products} {products === 1 ? 'product' : 'products'}
      </Link>
    ),
  },
  { heading: 'Status', sort: 'status', cell: ({ status }) => <StatusMark status={status} /> },
]

const resource: Resource<ManagedCategory, CategoryValues> = {
  entity: 'category',
  nameOf: ({ title }) => title,
  valueText: (field, value) => imagesText(field, value) ?? valueText(value),
  valuesOf: categoryValues,
  preview: (row, { images: _, ...fields }) => ({ ...row, ...fields }),
  save: ({ _id, version }, changes, onProgress) => {
    const input = { params: { id: _id }, body: categoryBody(changes), version }
    return upload(updateCategory, input, onProgress)
  },
  remove: ({ _id, version }) => callApi(deleteCategory, { params: { id: _id }, version }),
}

/** Manage Category: a form for new ones and the list. Source: spec §2. */
export function CategoryScreen({ found }: { found: Read<Paged<ManagedCategory>> }) {
  return (
    <ManageLayout title="Manage Category">
      <ReadResult found={found}>{(page) => <Categories loaded={page} />}</ReadResult>
    </ManageLayout>
  )
}

function Categories({ loaded }: { loaded: Paged<ManagedCategory> }) {
  const list = useManagedList(resource, loaded)
  return (
    <>
      <AddForm title="Add New Category" empty={loaded.total === 0}>
        {(props) => (
          <CategoryForm
            label="Add New Category"
            start={newCategoryValues}
            needsImage
            submit="Add category"
            {...props}
            onSave={async (values, onProgress) =>
              list.add(await upload(createCategory, { body: categoryBody(values) }, onProgress))
            }
          />
        )}
      </AddForm>
      <h2 className="mb-4 text-2xl">Category List</h2>
      <FilterBar
        label="Search categories"
        hint="Title or description"
        filters={[statusFilter]}
        sorts={sorts}
      />
      <ManagedTable
        caption="Categories"
        resource={resource}
        list={list}
        columns={columns}
        empty="No categories match."
        form={({ row, ...props }) => (
          <CategoryForm label={`Edit ${row.title}`} needsImage={row.image !== null} {...props} />
        )}
      />
      <Pagination {...list.page} thing="category" things="categories" />
    </>
  )
}
