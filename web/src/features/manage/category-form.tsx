import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import type { CategoryInput } from '@befaqt/domain/catalogue'
import { useState } from 'react'
import { fileAddress } from '#web/components/picture.tsx'
import { useForm } from '#web/features/account/use-form.ts'
import { CategoryFields } from './category-fields.tsx'
import { type EditedImage, keptImage } from './edited-images.ts'
import { FormActions } from './form-actions.tsx'
import { CategoryForm as Schema } from './form-values.ts'
import { ImagesField } from './images-field.tsx'
import type { FormProps } from './list-kind.ts'

export type CategoryDraft = CategoryInput & { images: readonly EditedImage[] }

/** A category as the call takes it: its fields, the words of its picture, and the file when there is a new one. */
export function categoryBody({ images, ...fields }: CategoryDraft): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  const [image] = images
  body.append('imageAlt', image?.alt ?? '')
  if (image?.file) body.append('catImage', image.file)
  return body
}

const imagesOf = ({ image }: ManagedCategory): EditedImage[] =>
  image ? [keptImage(image, fileAddress(image.path))] : []

/** The edit form of a category. */
export function CategoryForm({
  row,
  draft,
  faults,
  onSave,
  onCancel,
  onChange,
}: FormProps<ManagedCategory, CategoryDraft>) {
  const [images, setImages] = useState(draft?.images ?? imagesOf(row))
  const form = useForm(
    Schema,
    async (input) => onSave({ ...input, images }),
    {},
    {
      name: 'catImage',
      message: 'an image is required',
      broken: images.length === 0 && row.image !== null,
    },
  )
  const errors = { ...faults, ...form.errors }
  const change = (next: readonly EditedImage[]) => {
    setImages(next)
    onChange()
  }
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label={`Edit ${row.title}`}
      className="grid gap-4 py-2"
    >
      <CategoryFields start={draft ?? row} errors={errors} />
      <ImagesField
        label="Image"
        name="catImage"
        images={images}
        many={false}
        errors={errors}
        onChange={change}
      />
      <FormActions ready={form.ready} busy={form.busy} onCancel={onCancel} />
    </form>
  )
}
