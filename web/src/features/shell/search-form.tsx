import { MAX_SEARCH } from '@befaqt/domain/limits'
import { useId } from 'react'
import { Form } from 'react-router'
import { Icon } from '#web/components/icon.tsx'

type Props = {
  /** What tells it from another search on the same page. */
  name?: string
  /** On the dark ground of the header. */
  dark?: boolean
}

/** Search over all products; leads to /product?q=…, with or without script. */
export function SearchForm({ name = 'Search', dark = false }: Props) {
  const id = useId()
  return (
    <Form action="/product" role="search" aria-label={name} className="relative">
      <label htmlFor={id} className="sr-only">
        Search the market
      </label>
      <input
        id={id}
        type="search"
        name="q"
        placeholder="Search the market"
        maxLength={MAX_SEARCH}
        className={`h-11 w-full rounded-md border pr-11 pl-3 ${dark ? 'border-mist/60 bg-night-deep/60 placeholder:text-mist' : 'border-edge bg-surface placeholder:text-slate'}`}
      />
      <button
        type="submit"
        aria-label="Search"
        className={`absolute top-0 right-0 grid size-11 place-items-center rounded-md ${dark ? 'text-mist' : 'text-teal'}`}
      >
        <Icon name="search" className="size-5" />
      </button>
    </Form>
  )
}
