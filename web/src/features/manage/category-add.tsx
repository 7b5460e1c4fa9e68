import type { ManagedCategory } from '@befaqt/domain/api/manage-api'
import { visitorWords } from '#web/api/hydration.ts'
import { manageCalls } from './calls.ts'
import { CategoryFields, newCategory } from './category-fields.tsx'
import { categoryBody } from './category-form.tsx'
import { ErrorBanner } from './error-banner.tsx'
import { FormActions } from './form-actions.tsx'
import { CategoryForm } from './form-values.ts'
import { ImagesField } from './images-field.tsx'
import { Upload } from './list-view.tsx'
import { useAddForm } from './use-add-form.ts'

/** The form of a new category: title, image and shelf position are required. Source: spec §5. */
export function CategoryAdd({ onCreated }: { onCreated: (made: ManagedCategory) => void }) {
  const form = useAddForm({
    schema: CategoryForm,
    imagesName: 'catImage',
    noImage: 'an image is required',
    create: (draft, onProgress) => manageCalls.createCategory(categoryBody(draft), onProgress),
    onCreated,
  })
  return (
    <form {...form.formProps} onChange={form.touched} aria-label="Add New Category" className="grid gap-4">
      {form.failure !== null && <ErrorBanner message={visitorWords(form.failure)} onDismiss={form.dismiss} />}
      <CategoryFields start={newCategory} errors={form.errors} />
      <ImagesField
        label="Image"
        name="catImage"
        images={form.images}
        many={false}
        errors={form.errors}
        onChange={form.setImages}
      />
      {form.sent !== null && <Upload sent={form.sent} />}
      <FormActions ready={form.ready} busy={form.busy} save="Add category" />
    </form>
  )
}
