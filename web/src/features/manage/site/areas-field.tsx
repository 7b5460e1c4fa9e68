import { MAX_AREAS } from '@befaqt/domain/delivery-input'
import { Button } from '#web/components/button.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { type FieldErrors, isAbout } from '#web/forms/field-errors.ts'
import { areaOf, type TypedArea, termsText } from './site-values.ts'

type Props = {
  areas: readonly TypedArea[]
  disabled: boolean
  errors: FieldErrors
  onChange: (areas: readonly TypedArea[]) => void
}

const amounts = [
  ['fee', 'Fee, dollars (optional)', 'With GST. Empty: free of charge'],
  ['freeFrom', 'Free from, dollars (optional)', 'Of goods, before a coupon'],
  ['minimum', 'Minimum, dollars (optional)', 'Of goods, before a coupon'],
] as const

/** What buyers are told of an area; null: something of it is no number yet. */
function preview(typed: TypedArea): string | null {
  const { fee, freeFrom, minimum } = areaOf(typed)
  if (!Number.isInteger(fee) || !Number.isInteger(minimum)) return null
  const from = typeof freeFrom === 'number' ? freeFrom : null
  return `Buyers read: ${termsText({ fee: Number(fee), freeFrom: from, minimum: Number(minimum) })}.`
}

/** Areas of deliveries with what they cost. */
export function AreasField({ areas, disabled, errors, onChange }: Props) {
  const set = (at: number, more: Partial<TypedArea>) =>
    onChange(areas.map((area, i) => (i === at ? { ...area, ...more } : area)))
  const errorOf = (name: string) => Object.entries(errors).find(([path]) => isAbout(path, name))?.[1]
  return (
    <div className="grid gap-6 sm:col-span-2">
      {Object.entries(areas).map(([place, area]) => {
        const i = Number(place)
        const name = area.area || `Area ${i + 1}`
        const field = (of: keyof TypedArea) => ({
          autoComplete: 'off',
          disabled,
          value: area[of],
          error: errorOf(`areas[${i}].${of}`),
          onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
            set(i, { [of]: currentTarget.value }),
        })
        return (
          <fieldset key={place} className="grid gap-3 border-line border-b pb-5">
            <legend className="mb-2 font-semibold">{name}</legend>
            <InputField label="Name" {...field('area')} />
            <TextAreaField
              label="Postcodes"
              rows={2}
              hint="With commas between, and ranges as 2006-2010"
              {...field('postcodes')}
            />
            <div className="grid items-start gap-4 sm:grid-cols-3">
              {amounts.map(([of, label, hint]) => (
                <InputField key={of} label={label} hint={hint} inputMode="decimal" {...field(of)} />
              ))}
            </div>
            <p className="muted">{preview(area)}</p>
            <div>
              <Button
                variant="outline"
                disabled={disabled}
                aria-label={`Remove ${name}`}
                onClick={() => onChange(areas.filter((_, at) => at !== i))}
              >
                Remove
              </Button>
            </div>
          </fieldset>
        )
      })}
      {areas.length === 0 && <p className="text-slate">Delivery is free of charge everywhere.</p>}
      {errors.areas && <p className="font-semibold text-bad text-sm">{errors.areas}</p>}
      <div>
        <Button
          variant="outline"
          disabled={disabled || areas.length >= MAX_AREAS}
          onClick={() =>
            onChange([...areas, { area: '', postcodes: '', fee: '', minimum: '', freeFrom: '' }])
          }
        >
          Add an area
        </Button>
      </div>
    </div>
  )
}
