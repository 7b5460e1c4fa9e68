import { Field, SelectField, TextField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/features/account/use-form.ts'
import { categoryIcons } from '#web/features/catalogue/category-icons.ts'
import { StatusField } from './status-field.tsx'

export type CategoryValues = {
  title: string
  icon: string
  shelfPos: string
  status: string
  description: string
}

/** A new category: ACTIVE. Source: spec §3. */
export const newCategory: CategoryValues = {
  title: '',
  icon: 'fish',
  shelfPos: '',
  status: 'ACTIVE',
  description: '',
}

/** What is typed of a category. */
export function CategoryFields({ start, errors }: { start: CategoryValues; errors: FieldErrors }) {
  const icons = Object.keys(categoryIcons)
  const own = start.icon !== '' && !icons.includes(start.icon) ? [start.icon] : []
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="Title" name="title" defaultValue={start.title} error={errors.title} />
        <SelectField label="Icon" name="icon" defaultValue={start.icon} error={errors.icon}>
          <option value="">None</option>
          {[...own, ...icons].map((icon) => (
            <option key={icon}>{icon}</option>
          ))}
        </SelectField>
        <Field
          label="Shelf position"
          name="shelfPos"
          defaultValue={start.shelfPos}
          hint="Categories stand in this order"
          error={errors.shelfPos}
        />
        <StatusField defaultValue={start.status} error={errors.status} />
      </div>
      <TextField
        label="Description"
        name="description"
        rows={3}
        defaultValue={start.description}
        error={errors.description}
      />
    </>
  )
}
