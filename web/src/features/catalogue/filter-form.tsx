import { MAX_SEARCH } from '@befaqt/domain/limits'
import { cents, decimalFromCents } from '@befaqt/domain/money'
import { type ProductFilter, sorts } from '@befaqt/domain/product-filter'
import { titleKey, titlePath } from '@befaqt/domain/title-path'
import { type FormEvent, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Form, useNavigate, useSearchParams } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { CheckboxField, InputField, SelectField } from '#web/components/field.tsx'
import { askedOf } from '#web/forms/asked.ts'
import { choicesIn, queryText } from '#web/loaders/list-address.ts'
import { useCategories } from '#web/root-data.ts'

const FRESHNESS = [
  [5, 'Excellent only'],
  [4, 'Good or better'],
] as const

type FieldValues = Record<string, string | boolean>

/** What the form shows for a filter, by field name. */
const fieldValues = (filter: ProductFilter, category: string): FieldValues => ({
  q: filter.q,
  category,
  min: filter.minCents === null ? filter.odd.min : String(decimalFromCents(cents(filter.minCents))),
  max: filter.maxCents === null ? filter.odd.max : String(decimalFromCents(cents(filter.maxCents))),
  fresh: filter.fresh === 0 ? '' : String(filter.fresh),
  sort: filter.sort === 'shelf' ? '' : filter.sort,
  stock: filter.inStock,
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
      const name = field.getAttribute('name') ?? ''
      const value = values[name]
      if (value === before[name]) continue
      if (field instanceof HTMLInputElement && typeof value === 'boolean') field.checked = value
      else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        if (typeof value === 'string') field.value = value
    }
  }, [values])
  return ref
}

type Choice = HTMLInputElement | HTMLSelectElement

const isChoice = (field: unknown): field is Choice =>
  field instanceof HTMLSelectElement || (field instanceof HTMLInputElement && field.type === 'checkbox')

const chosen = (field: Choice): string | boolean =>
  field instanceof HTMLSelectElement ? field.value : field.checked

/**
 * Ticks and choices apply at once, words and prices when they are sent, and each is a step of Back; those made before
 * the script ran apply when it does, and are none.
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
    const choices = [...(form.current?.elements ?? [])].filter(isChoice)
    if (choices.some((field) => chosen(field) !== values[field.name])) send(true)
  })
  useEffect(() => sendEarly(), [])
  return {
    onChange: ({ target }: FormEvent) => {
      if (isChoice(target)) send()
    },
    onSubmit: (event: FormEvent) => {
      event.preventDefault()
      send()
    },
  }
}

function CategoryChoice({ value }: { value: string }) {
  const { categories } = useCategories()
  return (
    <SelectField label="Category" name="category" defaultValue={value}>
      <option value="">All categories</option>
      {categories?.map(({ _id, title }) => (
        <option key={_id} value={decodeURIComponent(titlePath(title))}>
          {title}
        </option>
      ))}
    </SelectField>
  )
}

const ODD_PRICE = 'write 12.50 for twelve dollars fifty'

function PriceRange({ min, max, odd }: { min: string; max: string; odd: ProductFilter['odd'] }) {
  return (
    <fieldset className="grid grid-cols-2 items-start gap-3">
      <legend className="mb-1.5 font-semibold">Price, $ per unit</legend>
      <InputField
        label={<span className="font-normal text-slate text-sm">From</span>}
        name="min"
        inputMode="decimal"
        defaultValue={min}
        maxLength={10}
        error={odd.min && ODD_PRICE}
      />
      <InputField
        label={<span className="font-normal text-slate text-sm">To</span>}
        name="max"
        inputMode="decimal"
        defaultValue={max}
        maxLength={10}
        error={odd.max && ODD_PRICE}
      />
    </fieldset>
  )
}

/** Search, category, price and sorting of /product: a plain GET form, which works without script and before it has come. */
export function FilterForm({ filter }: { filter: ProductFilter }) {
  const { categories } = useCategories()
  const [params] = useSearchParams()
  const known = categories?.find(({ title }) => titleKey(title) === filter.category)
  const values = fieldValues(filter, known ? decodeURIComponent(titlePath(known.title)) : '')
  const form = useFields(values)
  const sending = useSending(form, values)
  const text = (name: string) => String(values[name] ?? '')
  return (
    <Form ref={form} {...sending} className="grid gap-5">
      {choicesIn(params).map(([kind, values]) => (
        <input key={kind} type="hidden" name={kind} value={values} />
      ))}
      <InputField label="Search" type="search" name="q" defaultValue={text('q')} maxLength={MAX_SEARCH} />
      <CategoryChoice value={text('category')} />
      <SelectField label="Freshness" name="fresh" defaultValue={text('fresh')}>
        <option value="">Any</option>
        {FRESHNESS.map(([fresh, label]) => (
          <option key={fresh} value={fresh}>
            {label}
          </option>
        ))}
      </SelectField>
      <PriceRange min={text('min')} max={text('max')} odd={filter.odd} />
      <CheckboxField label="In stock only" name="stock" value="in" defaultChecked={filter.inStock} />
      <SelectField label="Sort by" name="sort" defaultValue={text('sort')}>
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
