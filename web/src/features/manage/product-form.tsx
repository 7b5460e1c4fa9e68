import type { CategoryChoice, ManagedProduct } from '@befaqt/domain/api/manage-api'
import type { ProductInput } from '@befaqt/domain/catalogue'
import { createContext, useContext, useState } from 'react'
import { fileAddress } from '#web/components/picture.tsx'
import { useForm } from '#web/features/account/use-form.ts'
import { appendImages, type EditedImage, keptImage } from './edited-images.ts'
import { FormActions } from './form-actions.tsx'
import { ProductForm as Schema } from './form-values.ts'
import { ImagesField } from './images-field.tsx'
import type { FormProps } from './list-kind.ts'
import { ProductFields } from './product-fields.tsx'

export type ProductDraft = ProductInput & { images: readonly EditedImage[] }

/** Categories that a product may be put into. */
export const CategoryChoices = createContext<readonly CategoryChoice[]>([])

/** A product as the call takes it. */
export function productBody({ images, ...fields }: ProductDraft): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, String(value))
  appendImages(body, images)
  return body
}

const imagesOf = ({ images }: ManagedProduct): EditedImage[] =>
  images.map((image) => keptImage(image, fileAddress(image.path)))

/** The edit form of a product. */
export function ProductForm({
  row,
  draft,
  faults,
  onSave,
  onCancel,
  onChange,
}: FormProps<ManagedProduct, ProductDraft>) {
  const [images, setImages] = useState(draft?.images ?? imagesOf(row))
  const form = useForm(
    Schema,
    async (input) => onSave({ ...input, images }),
    {},
    {
      name: 'productImages',
      message: 'at least one image is required',
      broken: images.length === 0 && row.images.length > 0,
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
      <ProductFields start={draft ?? row} errors={errors} categories={useContext(CategoryChoices)} />
      <ImagesField
        label="Images"
        name="productImages"
        images={images}
        many
        errors={errors}
        onChange={change}
      />
      <FormActions ready={form.ready} busy={form.busy} onCancel={onCancel} />
    </form>
  )
}
