import { MAX_SEARCH } from '@befaqt/domain/limits'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { Form } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import type SearchSuggestions from './search-suggestions.tsx'

type Props = {
  /** What tells it from another search on the same page. */
  name?: string
  /** On the dark ground of the header. */
  dark?: boolean
}

/** Fetched when somebody begins to search; without it the search works all the same. */
const Suggestions = lazy<typeof SearchSuggestions>(() =>
  import('./search-suggestions.tsx').catch(() => ({ default: () => <></> })),
)

/** Search over all products; leads to /product?q=…, with or without script. With script it suggests while one types. */
export function SearchForm({ name = 'Search', dark = false }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [isUsed, setIsUsed] = useState(false)
  return (
    <Form action="/product" role="search" aria-label={name} className="relative">
      <label htmlFor={id} className="sr-only">
        Search the market
      </label>
      <input
        ref={field}
        id={id}
        type="search"
        role="combobox"
        aria-expanded="false"
        aria-autocomplete="list"
        name="q"
        placeholder="Search the market"
        autoComplete="off"
        maxLength={MAX_SEARCH}
        onFocus={() => setIsUsed(true)}
        className={`h-11 w-full rounded-md border pr-11 pl-3 ${dark ? 'scheme-dark border-mist/60 bg-night-deep/60 placeholder:text-mist' : 'border-edge bg-surface placeholder:text-slate'}`}
      />
      <button
        type="submit"
        aria-label="Search"
        className={`absolute top-0 right-0 grid size-11 place-items-center rounded-md ${dark ? 'text-mist' : 'text-teal'}`}
      >
        <Icon name="search" className="size-5" />
      </button>
      {isUsed && (
        <Suspense>
          <Suggestions field={field} id={`${id}-list`} />
        </Suspense>
      )}
    </Form>
  )
}
