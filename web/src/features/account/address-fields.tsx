import { InputField, SelectField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'

const states = ['NSW', 'ACT', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']

/** Where to, in Australia. `typed`: what the fields begin with. */
export function AddressFields({
  errors,
  typed,
}: {
  errors: FieldErrors
  typed: Readonly<Record<string, string | boolean>>
}) {
  const textOf = (name: string): string | undefined => {
    const text = typed[name]
    return typeof text === 'string' ? text : undefined
  }
  return (
    <div className="grid gap-5">
      <InputField
        label="Street and number"
        name="street"
        autoComplete="street-address"
        required
        defaultValue={textOf('street')}
        error={errors.street}
      />
      <div className="grid items-start gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <InputField
          label="Suburb"
          name="suburb"
          autoComplete="address-level2"
          required
          defaultValue={textOf('suburb')}
          error={errors.suburb}
        />
        <SelectField
          label="State"
          name="state"
          autoComplete="address-level1"
          defaultValue={textOf('state') ?? states[0]}
          error={errors.state}
        >
          {states.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </SelectField>
        <InputField
          label="Postcode"
          name="postcode"
          autoComplete="postal-code"
          inputMode="numeric"
          maxLength={4}
          required
          defaultValue={textOf('postcode')}
          error={errors.postcode}
        />
      </div>
    </div>
  )
}
