import { MAX_PARTNERS } from '@befaqt/domain/site-settings'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import type { Partner } from './site-values.ts'

type Props = {
  partners: readonly Partner[]
  disabled: boolean
  errors: FieldErrors
  onChange: (partners: readonly Partner[]) => void
}

const columns = [
  ['name', 'Name', 'text'],
  ['kind', 'What it is', 'text'],
  ['url', 'Link', 'url'],
] as const

/** Partners in the order in which they are named. */
export function PartnersField({ partners, disabled, errors, onChange }: Props) {
  const set = (at: number, more: Partial<Partner>) =>
    onChange(partners.map((partner, i) => (i === at ? { ...partner, ...more } : partner)))
  const up = (at: number) =>
    onChange(
      partners.flatMap((partner, i) =>
        i === at ? [] : i === at - 1 ? [partners[at] ?? partner, partner] : [partner],
      ),
    )
  return (
    <div className="grid gap-6 sm:col-span-2">
      {Object.entries(partners).map(([place, partner]) => {
        const i = Number(place)
        return (
          <fieldset key={place} className="grid gap-3 border-line border-b pb-5">
            <legend className="mb-2 font-semibold">{partner.name || `Partner ${i + 1}`}</legend>
            <div className="grid items-start gap-4 sm:grid-cols-3">
              {columns.map(([name, label, type]) => (
                <InputField
                  key={name}
                  label={label}
                  type={type}
                  autoComplete="off"
                  disabled={disabled}
                  value={partner[name]}
                  error={errors[`partners[${i}].${name}`]}
                  onChange={({ currentTarget }) => set(i, { [name]: currentTarget.value })}
                />
              ))}
            </div>
            <div className="flex flex-wrap gap-3">
              {i > 0 && (
                <Button
                  variant="outline"
                  disabled={disabled}
                  aria-label={`Move up ${partner.name || `partner ${i + 1}`}`}
                  onClick={() => up(i)}
                >
                  Move up
                </Button>
              )}
              <Button
                variant="outline"
                disabled={disabled}
                aria-label={`Remove ${partner.name || `partner ${i + 1}`}`}
                onClick={() => onChange(partners.filter((_, at) => at !== i))}
              >
                Remove
              </Button>
            </div>
          </fieldset>
        )
      })}
      {partners.length === 0 && <p className="text-slate">No partner is named.</p>}
      {errors.partners && <p className="font-semibold text-bad text-sm">{errors.partners}</p>}
      <div>
        <Button
          variant="outline"
          disabled={disabled || partners.length >= MAX_PARTNERS}
          onClick={() => onChange([...partners, { name: '', kind: '', url: '' }])}
        >
          Add a partner
        </Button>
      </div>
    </div>
  )
}
