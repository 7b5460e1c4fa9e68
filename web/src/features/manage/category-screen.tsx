import type { Paged } from '@befaqt/domain/api/box-api'
import {
  createCategory,
  deleteCategory,
  updateCategory,
} from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { CategoryInput, newCategory } from '@befaqt/domain/catalogue'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { fileUrl } from '#web/api/file-url.ts'
import { type Progress, upload } from '#web/api/upload.ts'
import { InputField, SelectField, TextAreaField } from '#web/components/field.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { CategoryIcon, categoryIconNames } from '#web/features/catalogue/category-icon.tsx'
import { imagesText, keptImage } from './edited-list/edited-images.ts'
import { ImagesField, Thumbnail, usePictureForm, type WithImages } from './edited-list/images-field.tsx'
import { ManagedTable } from './edited-list/managed-table.tsx'
import type { Resource } from './edited-list/row-drafts.ts'
import { AddForm, type TypedProps } from './edited-list/typed.tsx'
import { useManagedList } from './edited-list/use-managed-list.ts'
import { FailureBanner, FormActions, UploadProgress } from './form-parts.tsx'
import { columnsOf } from './list/columns.tsx'
import { valueText } from './list/differences.ts'
import { changedColumn } from './list/list-table.tsx'
import { FilterBar, StatusField, StatusMark, statusFilter } from './list/searched-list.tsx'
import { ManageLayout, ReadResult } from './manage-layout.tsx'
import type { Read } from './read.ts'

/** What the form of a category holds. */
type CategoryValues = WithImages<CategoryInput>

/** What the form of a new category starts with. */
const newCategoryValues: CategoryValues = { ...newCategory, icon: 'fish', images: [] }

/** What the form of this category starts with. */
const categoryValues = (row: ManagedCategory): CategoryValues => ({
  title: row.title,
  icon: row.icon,
  shelfPos: row.shelfPos,
  status: row.status,
  description: row.description,
  images: row.image ? [keptImage(row.image, fileUrl(row.image.path))] : [],
})

/** Fields of a category as the call takes them: the words of its picture, and the file when there is a new one. */
function categoryBody({ images, ...fields }: Partial<CategoryValues>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  if (images) body.append('imageAlt', images[0]?.alt ?? '')
  if (images?.[0]?.file) body.append('catImage', images[0].file)
  return body
}

const sorts = [
  ['title', 'Title'],
  ['shelf', 'Shelf position'],
  ['status', 'Status'],
  ['updated', 'Last changed'],
] as const

const columns = columnsOf<'category', ManagedCategory>('category', {
  category: {
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
  description: {
    heading: 'Description',
    className: 'max-lg:w-full',
    cell: ({ description }) => (
      <span className="line-clamp-2 min-w-0 muted wrap-anywhere">{description}</span>
    ),
  },
  shelf: { heading: 'Shelf', sort: 'shelf', labelled: true, cell: ({ shelfPos }) => shelfPos },
  products: {
    heading: 'Products',
    isNumber: true,
    className: 'lg:whitespace-nowrap',
    cell: ({ _id, products }) => (
      <Link className="link" to={`/manage/product?category=${encodeURIComponent(_id)}`}>
        {products} {products === 1 ? 'product' : 'products'}
      </Link>
    ),
  },
  status: { heading: 'Status', sort: 'status', cell: ({ status }) => <StatusMark status={status} /> },
  changed: { ...changedColumn, sort: 'updated' },
})

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
    <ManageLayout>
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
      <ListPlaces {...list.page} thing="category" things="categories" />
    </>
  )
}

type FormProps = {
  label: string
  start: CategoryValues
  /** A category that never had a picture may be saved without. */
  needsImage: boolean
  submit?: string
  onSave: (values: CategoryValues, onProgress: Progress) => Promise<void>
  onDirty: (dirty: boolean) => void
  onCancel?: () => void
} & TypedProps

/** The form of a category, a new one's too: title, image and shelf position are required. Source: spec §5. */
function CategoryForm({ label, start, needsImage, submit, onCancel, ...props }: FormProps) {
  const form = usePictureForm({
    schema: CategoryInput,
    start,
    imagesName: 'catImage',
    noImage: needsImage ? 'an image is required' : null,
    ...props,
  })
  const { errors } = form
  const icons = categoryIconNames
  const own = start.icon !== '' && !icons.includes(start.icon) ? [start.icon] : []
  return (
    <form {...form.formProps} aria-label={label} className="grid gap-4 py-2">
      {!onCancel && form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <InputField label="Title" name="title" defaultValue={start.title} error={errors.title} />
        <SelectField label="Icon" name="icon" defaultValue={start.icon} error={errors.icon}>
          <option value="">None</option>
          {[...own, ...icons].map((icon) => (
            <option key={icon}>{icon}</option>
          ))}
        </SelectField>
        <InputField
          label="Shelf position"
          name="shelfPos"
          defaultValue={start.shelfPos}
          hint="Categories are shown in this order"
          error={errors.shelfPos}
        />
        <StatusField defaultValue={start.status} error={errors.status} />
      </div>
      <TextAreaField
        label="Description"
        name="description"
        rows={3}
        defaultValue={start.description}
        error={errors.description}
      />
      <ImagesField
        label="Image"
        name="catImage"
        images={form.images}
        many={false}
        errors={errors}
        lost={form.lost}
        onChange={form.setImages}
      />
      {!onCancel && form.progress !== null && <UploadProgress progress={form.progress} />}
      <FormActions ready={form.ready} busy={form.busy} save={submit} onCancel={onCancel} />
    </form>
  )
}
