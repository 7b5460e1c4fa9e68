import type { FieldErrors } from '#web/forms/field-errors.ts'
import { EmailField, NameFields, PhoneField } from './name-fields.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'

/** Everything that is asked of somebody new. */
export function PersonFields({ errors }: { errors: FieldErrors }) {
  return (
    <>
      <NameFields errors={errors} />
      <EmailField errors={errors} />
      <PhoneField errors={errors} optional />
      <NewPasswordFields errors={errors} />
    </>
  )
}
