import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { Field, SelectField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { FormActions } from './form-actions.tsx'
import { UserForm as Schema } from './form-values.ts'
import type { EditFormProps } from './list/managed-table.tsx'
import { useTyped } from './list/use-typed.ts'
import { StatusField } from './status-field.tsx'

/** Names, role and status of an account; e-mail and phone are their owner's. Source: spec §6. */
export function UserForm({ row, start, ...props }: EditFormProps<ManagedUser, Schema>) {
  const { onSave, onCancel, onDirty } = props
  const form = useForm(Schema, (input) => onSave(input))
  const tell = useTyped(form.formProps.ref, props)
  const onChange = () => {
    onDirty(true)
    tell()
  }
  const { errors } = form
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label={`Edit ${row.email}`}
      className="grid gap-4 py-2"
    >
      <p className="font-semibold">{row.email}</p>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="First name" name="fname" defaultValue={start.fname} error={errors.fname} />
        <Field label="Last name" name="lname" defaultValue={start.lname} error={errors.lname} />
        <SelectField label="Role" name="role" defaultValue={start.role} error={errors.role}>
          <option>USER</option>
          <option>ADMIN</option>
        </SelectField>
        <StatusField defaultValue={start.status} error={errors.status} />
      </div>
      <FormActions ready={form.ready} busy={form.busy} onCancel={onCancel} />
    </form>
  )
}
