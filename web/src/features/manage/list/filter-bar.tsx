import { MAX_SEARCH } from '@befaqt/domain/limits'
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Form, Link, useSearchParams, useSubmit } from 'react-router'
import { Button, buttonClass } from '#web/components/button.tsx'
import { InputField, SelectField } from '#web/components/field.tsx'
import { Icon } from '#web/components/icon.tsx'
import { askedOf } from '#web/forms/asked.ts'
import { isNarrowed } from './list-query.ts'

type Choice = readonly [value: string, label: string]
export type Filter = { name: string; label: string; all: string; choices: readonly Choice[] }

type Props = {
  /** Of the search; without it nothing is searched for. */
  label?: string
  hint?: string
  /** Stands among the filters. */
  children?: ReactNode
  filters: readonly Filter[]
  sorts: readonly Choice[]
}

/**
 * Keeps the fields in step with the URL when it changes by other means: Back, a link, 'Clear'. A field whose part
 * of the URL stays is left alone: something may have been typed there before the script ran, or while the list
 * was fetched.
 */
function useInStep(params: URLSearchParams) {
  const ref = useRef<HTMLFormElement>(null)
  const shown = useRef(params)
  useEffect(() => {
    const before = shown.current
    shown.current = params
    for (const field of ref.current?.elements ?? [])
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        if (params.get(field.name) !== before.get(field.name)) field.value = params.get(field.name) ?? ''
  }, [params])
  return ref
}

/** Search, filters and order of a list; they are in the URL and work without script. */
export function FilterBar({ label, hint, filters, sorts, children }: Props) {
  const [params] = useSearchParams()
  const submit = useSubmit()
  const send = (form: HTMLFormElement) => {
    const asked = askedOf(form)
    // What is shown already is no step back.
    const replace = asked.toString() === params.toString()
    void submit(asked, { preventScrollReset: true, replace })
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    send(event.currentTarget)
  }
  const onChange = (event: FormEvent<HTMLFormElement>) => {
    if (event.target instanceof HTMLSelectElement) send(event.currentTarget)
  }
  const active = filters.filter(({ name }) => params.get(name)).length
  return (
    <search className="mb-4 block">
      <Form
        ref={useInStep(params)}
        onSubmit={onSubmit}
        onChange={onChange}
        className="flex flex-wrap items-end gap-3"
      >
        {label !== undefined && (
          <div className="flex min-w-72 flex-1 items-end gap-3 *:first:flex-1 max-md:basis-full">
            <InputField
              label={label}
              type="search"
              name="q"
              maxLength={MAX_SEARCH}
              placeholder={hint}
              defaultValue={params.get('q') ?? ''}
            />
            <Button type="submit" variant="outline">
              Search
            </Button>
          </div>
        )}
        {(filters.length > 0 || sorts.length > 0 || children) && (
          <FilterFold active={active}>
            {filters.map(({ name, label, all, choices }) => (
              <Choices
                key={name}
                name={name}
                label={label}
                all={all}
                choices={choices}
                value={params.get(name)}
              />
            ))}
            {children}
            {sorts.length > 0 && (
              <>
                <Choices
                  name="sort"
                  label="Sort by"
                  all="Default order"
                  choices={sorts}
                  value={params.get('sort')}
                />
                <Choices
                  name="dir"
                  label="Order"
                  all="Ascending"
                  choices={[['desc', 'Descending']]}
                  value={params.get('dir')}
                />
              </>
            )}
          </FilterFold>
        )}
        {isNarrowed(params) && (
          <Link to="?" className="link flex min-h-11 items-center justify-center">
            Clear
          </Link>
        )}
      </Form>
    </search>
  )
}

/** On a phone what narrows a list is folded away under one button, so that the list itself is in view. */
const FilterFold = ({ active, children }: { active: number; children: ReactNode }) => (
  <details className="fold-narrow group/fold max-md:basis-full">
    <summary className={buttonClass('outline', 'w-full')}>
      <Icon name="filter" className="size-5" />
      {active === 0 ? 'Filter' : `Filter (${active})`}
      <Icon name="down" className="size-4 transition-transform group-open/fold:rotate-180" />
    </summary>
    <div className="flex flex-wrap items-end gap-3 *:min-w-40 *:flex-1 max-md:mt-3">{children}</div>
  </details>
)

type ChoicesProps = {
  name: string
  label: string
  all: string
  choices: readonly Choice[]
  value: string | null
}

const Choices = ({ name, label, all, choices, value }: ChoicesProps) => (
  <SelectField label={label} name={name} defaultValue={value ?? ''}>
    <option value="">{all}</option>
    {choices.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </SelectField>
)
