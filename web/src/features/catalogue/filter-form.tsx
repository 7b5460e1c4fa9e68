import { MAX_SEARCH } from '@befaqt/domain/limits'
import { cents, decimalFromCents } from '@befaqt/domain/money'
import { type ProductFilter, sorts } from '@befaqt/domain/product-filter'
import { type FormEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Form, useNavigate, useSearchParams } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { InputField, SelectField } from '#web/components/field.tsx'
import { choicesIn, queryText } from '#web/features/catalogue/list-address.ts'
import { askedOf } from '#web/forms/asked.ts'

type FieldValues = Record<string, string>

const dollars = (amount: number | null, odd: string): string =>
  amount === null ? odd : String(decimalFromCents(cents(amount)))

/** What the form shows for a filter, by field name. */
const fieldValues = ({ q, minCents, maxCents, odd, sort }: ProductFilter): FieldValues => ({
  q,
  min: dollars(minCents, odd.min),
  max: dollars(maxCents, odd.max),
  sort: sort === 'shelf' ? '' : sort,
})

/**
 * Keeps the fields in step with the URL when it changes by other means: Back, a link, 'Clear'. A field whose part
 * of the URL stays is left alone: something may have been typed there before the script ran, or while the list
 * was fetched.
 */
function useFields(values: FieldValues) {
  const ref = useRef<HTMLFormElement>(null)
  const shown = useRef(values)
  useEffect(() => {
    const before = shown.current
    shown.current = values
    for (const field of ref.current?.elements ?? []) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue
      const value = values[field.name]
      if (value !== undefined && value !== before[field.name]) field.value = value
    }
  }, [values])
  return ref
}

/**
 * The order applies at once, words and prices when they are sent, and each is a step of Back; an order chosen before the
 * script ran applies when it does, and is none.
 */
function useSending(form: RefObject<HTMLFormElement | null>, values: FieldValues) {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const send = (early = false) => {
    if (!form.current) return
    const asked = queryText(askedOf(form.current))
    const replace = early || asked === queryText(params)
    void navigate(asked === '' ? '/product' : `/product?${asked}`, { replace, preventScrollReset: true })
  }
  const sendEarly = useEffectEvent(() => {
    if (form.current?.querySelector('select')?.value !== values.sort) send(true)
  })
  useEffect(() => sendEarly(), [])
  return {
    onChange: ({ target }: FormEvent) => {
      if (target instanceof HTMLSelectElement) send()
    },
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      send()
    },
  }
}

/** From or to. */
function PriceField({ name, value, odd }: { name: 'min' | 'max'; value: string | undefined; odd: string }) {
  return (
    <InputField
      label={<span className="font-normal muted">{name === 'min' ? 'From' : 'To'}</span>}
      name={name}
      inputMode="decimal"
      defaultValue={value}
      maxLength={10}
      error={odd && 'write 12.50 for twelve dollars fifty'}
    />
  )
}

/**
 * Search, price and order of /product, which keep what is chosen: a plain GET form, which works without script and before
 * it has come.
 */
export function FilterForm({ filter }: { filter: ProductFilter }) {
  const [params] = useSearchParams()
  const values = fieldValues(filter)
  const form = useFields(values)
  const sending = useSending(form, values)
  return (
    <Form ref={form} {...sending} className="grid gap-5">
      {choicesIn(params).map(([kind, chosen]) => (
        <input key={kind} type="hidden" name={kind} value={chosen} />
      ))}
      <InputField label="Search" type="search" name="q" defaultValue={values.q} maxLength={MAX_SEARCH} />
      <fieldset className="grid grid-cols-2 items-start gap-3">
        <legend className="mb-1.5 font-semibold">Price, $ per unit</legend>
        <PriceField name="min" value={values.min} odd={filter.odd.min} />
        <PriceField name="max" value={values.max} odd={filter.odd.max} />
      </fieldset>
      <SelectField label="Sort by" name="sort" defaultValue={values.sort}>
        {Object.entries(sorts).map(([sort, label]) => (
          <option key={sort} value={sort === 'shelf' ? '' : sort}>
            {label}
          </option>
        ))}
      </SelectField>
      <Button type="submit" variant="outline">
        Apply
      </Button>
    </Form>
  )
}
