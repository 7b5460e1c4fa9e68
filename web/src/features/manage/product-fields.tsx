import type { CategoryChoice } from '@befaqt/domain/api/manage-api'
import type { ProductInput } from '@befaqt/domain/catalogue'
import { CheckField, Field, SelectField, TextField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { StatusField } from './status-field.tsx'

type Props = { start: ProductInput; errors: FieldErrors; categories: readonly CategoryChoice[] }

/** What is typed of a product. */
export function ProductFields({ start, errors, categories }: Props) {
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <div className="sm:col-span-2">
          <Field label="Title" name="title" defaultValue={start.title} error={errors.title} />
        </div>
        <SelectField
          label="Category"
          name="category_id"
          defaultValue={start.category_id}
          error={errors.category_id}
        >
          <option value="">Choose a category</option>
          {categories.map(({ _id, title }) => (
            <option key={_id} value={_id}>
              {title}
            </option>
          ))}
        </SelectField>
        <StatusField defaultValue={start.status} error={errors.status} />
      </div>
      <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-5">
        <Field
          label="Price"
          name="price"
          inputMode="decimal"
          defaultValue={start.price}
          hint="dollars per unit"
          error={errors.price}
        />
        <Field label="Unit" name="unit" defaultValue={start.unit} error={errors.unit} />
        <Field
          label="Discount"
          name="discount"
          inputMode="numeric"
          defaultValue={start.discount}
          hint="percent"
          error={errors.discount}
        />
        <Field
          label="Stock"
          name="stock"
          inputMode="numeric"
          defaultValue={start.stock}
          error={errors.stock}
        />
        <Field label="Shelf position" name="shelfPos" defaultValue={start.shelfPos} error={errors.shelfPos} />
      </div>
      <CheckField label="Price includes GST" name="includeGST" defaultChecked={start.includeGST} />
      <TextField
        label="Description"
        name="description"
        rows={4}
        defaultValue={start.description}
        error={errors.description}
      />
    </>
  )
}
