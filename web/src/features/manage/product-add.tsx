import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { useContext } from 'react'
import { visitorWords } from '#web/api/hydration.ts'
import { manageCalls } from './calls.ts'
import { ErrorBanner } from './error-banner.tsx'
import { FormActions } from './form-actions.tsx'
import { ProductForm } from './form-values.ts'
import { ImagesField } from './images-field.tsx'
import { Upload } from './list-view.tsx'
import { newProduct, ProductFields } from './product-fields.tsx'
import { CategoryChoices, productBody } from './product-form.tsx'
import { useAddForm } from './use-add-form.ts'

/** The form of a new product with its defaults; title, category and an image are required. Source: spec §3, §5. */
export function ProductAdd({ onCreated }: { onCreated: (made: ManagedProduct) => void }) {
  const form = useAddForm({
    schema: ProductForm,
    imagesName: 'productImages',
    noImage: 'at least one image is required',
    create: (draft, onProgress) => manageCalls.createProduct(productBody(draft), onProgress),
    onCreated,
  })
  return (
    <form {...form.formProps} onChange={form.touched} aria-label="Add New Product" className="grid gap-4">
      {form.failure !== null && <ErrorBanner message={visitorWords(form.failure)} onDismiss={form.dismiss} />}
      <ProductFields start={newProduct} errors={form.errors} categories={useContext(CategoryChoices)} />
      <ImagesField
        label="Images"
        name="productImages"
        images={form.images}
        many
        errors={form.errors}
        onChange={form.setImages}
      />
      {form.sent !== null && <Upload sent={form.sent} />}
      <FormActions ready={form.ready} busy={form.busy} save="Add product" />
    </form>
  )
}
