import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { CategoryInput, newCategory } from '@befaqt/domain/catalogue'
import { fileUrl } from '#web/api/file-url.ts'
import type { Progress } from '#web/api/upload.ts'
import { InputField, SelectField, TextAreaField } from '#web/components/field.tsx'
import { categoryIconNames } from '#web/features/catalogue/category-icon.tsx'
import { FailureBanner, FormActions, UploadProgress } from '../form-parts.tsx'
import { keptImage } from '../images/edited-images.ts'
import { ImagesField } from '../images/images-field.tsx'
import { usePictureForm, type WithImages } from '../images/use-image-form.ts'
import { StatusField } from '../list/status.tsx'
import type { TypedProps } from '../list/use-typed.ts'

/** What the form of a category holds. */
export type CategoryValues = WithImages<CategoryInput>

/** What the form of a new category starts with. */
export const newCategoryValues: CategoryValues = { ...newCategory, icon: 'fish', images: [] }

/** What the form of this category starts with. */
export const categoryValues = (row: ManagedCategory): CategoryValues => ({
  title: row.title,
  icon: row.icon,
  shelfPos: row.shelfPos,
  status: row.status,
  description: row.description,
  images: row.image ? [keptImage(row.image, fileUrl(row.image.path))] : [],
})

/** Fields of a category as the call takes them: the words of its picture, and the file when there is a new one. */
export function categoryBody({ images, ...fields }: Partial<CategoryValues>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  if (images) body.append('imageAlt', images[0]?.alt ?? '')
  if (images?.[0]?.file) body.append('catImage', images[0].file)
  return body
}

type Props = {
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
export function CategoryForm({ label, start, needsImage, submit, onCancel, ...props }: Props) {
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
