import type { Paged } from '@befaqt/domain/api/box-api'
import { COLUMNS } from '@befaqt/domain/desk-views'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import { statuses } from '@befaqt/domain/statuses'
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { Form, Link, useLocation, useSearchParams, useSubmit } from 'react-router'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Button, buttonClass } from '#web/components/button.tsx'
import { InputField, SelectField } from '#web/components/field.tsx'
import { Icon } from '#web/components/icon.tsx'
import { ListPlaces } from '#web/components/list-places.tsx'
import { askedOf } from '#web/forms/asked.ts'
import { StatusMessage } from '../form-parts.tsx'
import { isNarrowed } from '../read.ts'
import { type PlainProps, PlainTable } from './list-table.tsx'
import { isOtherList, useCleared, ViewTabs } from './views.tsx'

type Props<Row> = Omit<PlainProps<Row>, 'caption' | 'rows'> & {
  page: Paged<Row>
  /** What a row is called, as in 'device', and several of them. */
  thing: string
  things: string
  /** What is searched. */
  hint: string
  filters?: readonly Filter[]
  /** What was done last to one of them, where that is done here. */
  message?: string
  /** Shown where there is none at all. */
  empty?: ReactNode
}

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** A list whose rows are searched, narrowed and read here, a page at a time, and not edited. */
export function SearchedList<Row>(props: Props<Row>) {
  const { page, thing, things, hint, filters = [], message, empty, ...table } = props
  const [params] = useSearchParams()
  const noMatch = `No ${things} match.`
  return (
    <>
      <h2 className="mb-2 text-2xl">{capital(thing)} List</h2>
      <FilterBar label={`Search ${things}`} hint={hint} filters={filters} sorts={[]} />
      {message !== undefined && <StatusMessage message={message} className="min-h-8" />}
      <PlainTable
        {...table}
        caption={capital(things)}
        rows={page.rows}
        empty={isNarrowed(params) ? noMatch : (empty ?? noMatch)}
      />
      <ListPlaces {...page} thing={thing} things={things} />
    </>
  )
}

type Choice = readonly [value: string, label: string]
export type Filter = { name: string; label: string; all: string; choices: readonly Choice[] }

type FilterProps = {
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
        if (params.get(field.name) !== before.get(field.name))
          field.value =
            params.get(field.name) ?? (field instanceof HTMLInputElement ? field.defaultValue : '')
  }, [params])
  return ref
}

/** Views, search, filters and order of a list; they are in the URL and work without script. */
export function FilterBar({ label, hint, filters, sorts, children }: FilterProps) {
  const [params] = useSearchParams()
  const submit = useSubmit()
  const cleared = useCleared()
  const { pathname } = useLocation()
  const send = (form: HTMLFormElement) => {
    const asked = askedOf(form)
    if (isOtherList(pathname, params, asked)) for (const name of ['view', COLUMNS]) asked.delete(name)
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
  const kept = ['view', COLUMNS].flatMap((name) => {
    const value = params.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const active = filters.filter(({ name }) => params.get(name)).length
  return (
    <search className="mb-4 block">
      <ViewTabs filters={filters} sorts={sorts} />
      <Form
        ref={useInStep(params)}
        onSubmit={onSubmit}
        onChange={onChange}
        className="flex flex-wrap items-end gap-3"
      >
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
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
          <Link to={cleared} className="link flex min-h-11 items-center justify-center">
            Clear
          </Link>
        )}
      </Form>
    </search>
  )
}

/** On a phone what narrows a list is folded away under one button, so that the list itself is in view. */
const FilterFold = ({ active, children }: { active: number; children: ReactNode }) => (
  <details className="fold-narrow group/fold max-md:basis-full xl:flex-2">
    <summary className={buttonClass('outline', 'w-full')}>
      <Icon name="filter" className="size-5" />
      {active === 0 ? 'Filter' : `Filter (${active})`}
      <Icon name="down" className="size-4 transition-transform group-open/fold:rotate-180" />
    </summary>
    <div className="flex flex-wrap items-end gap-3 *:min-w-40 *:flex-1 max-md:mt-3 xl:*:min-w-32">
      {children}
    </div>
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

const tones: Readonly<Record<string, BadgeTone>> = { ACTIVE: 'good', INACTIVE: 'warn', DISABLED: 'bad' }

/** The status of a row as a word. */
export const StatusMark = ({ status }: { status: string }) => (
  <Badge tone={tones[status] ?? 'plain'}>{status}</Badge>
)

/** The choice among the three states of spec §3. */
export const StatusField = (props: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) => (
  <SelectField label="Status" name="status" {...props}>
    {statuses.map((status) => (
      <option key={status}>{status}</option>
    ))}
  </SelectField>
)

/** Narrows a list to one status. */
export const statusFilter: Filter = {
  name: 'status',
  label: 'Status',
  all: 'Any status',
  choices: statuses.map((status) => [status, status]),
}
