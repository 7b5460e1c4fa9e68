import type { Paged } from '@befaqt/domain/api/box-api'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Pagination } from '#web/components/pagination.tsx'
import { StatusMessage } from '../form-parts.tsx'
import { type Filter, FilterBar } from './filter-bar.tsx'
import { isNarrowed } from './list-query.ts'
import { type PlainProps, PlainTable } from './list-table.tsx'

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
      <Pagination {...page} thing={thing} things={things} />
    </>
  )
}
