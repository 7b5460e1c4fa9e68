import { SelectField, TextAreaField } from '#web/components/field.tsx'
import { type FieldErrors, isAbout } from '#web/forms/field-errors.ts'
import { kindLabels } from './slot-row.tsx'

type KindProps = { start?: string; onKind: (kind: string) => void; error?: string | undefined }

/** What a time is for. */
export const KindField = ({ start, onKind, error }: KindProps) => (
  <SelectField
    label="For"
    name="kind"
    defaultValue={start}
    onChange={(event) => onKind(event.currentTarget.value)}
    error={error}
  >
    {Object.entries(kindLabels).map(([kind, label]) => (
      <option key={kind} value={kind}>
        {label}
      </option>
    ))}
  </SelectField>
)

/** What is wrong with a field, or with one of the values that it holds. */
export const errorOf = (errors: FieldErrors, field: string): string | undefined =>
  Object.entries(errors).find(([path]) => isAbout(path, field))?.[1]

type AreaProps = { kind: string; start?: string; errors: FieldErrors }

/** Where a time delivers to; there for deliveries alone. */
export const AreaField = ({ kind, start, errors }: AreaProps) => (
  <div hidden={kind !== 'delivery'}>
    <TextAreaField
      label="Delivers to these postcodes"
      name="area"
      rows={2}
      defaultValue={start}
      hint="like 2000 2009 2010"
      error={errorOf(errors, 'area')}
    />
  </div>
)
