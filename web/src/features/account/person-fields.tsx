import { InputField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { NameFields, PhoneField } from './name-fields.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'

/** Everything that is asked of somebody new. */
export function PersonFields({ errors }: { errors: FieldErrors }) {
  return (
    <>
      <NameFields errors={errors} />
      <InputField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        error={errors.email}
      />
      <PhoneField errors={errors} optional />
      <NewPasswordFields errors={errors} />
    </>
  )
}
