import type { Paged } from '@befaqt/domain/api/box-api'
import { LIST_END, placeNames } from '@befaqt/domain/list-place'
import { Link, useSearchParams } from 'react-router'

type Part = Paged<unknown>
type Props = Part & { thing: string; things: string }

const count = (n: number): string => n.toLocaleString('en-AU')

/** '51–100 of 1,003'; where the number of the first is not known, how many of how many: '50 of over 10,000'. */
export function placeText({ rows, total, atLeast, first }: Part): string {
  const all = `${atLeast ? 'over ' : ''}${count(total)}`
  if (total === 1 && !atLeast) return '1 of 1'
  if (first === undefined || rows.length === 0) return `${count(rows.length)} of ${all}`
  return `${count(first)}–${count(first + rows.length - 1)} of ${all}`
}

/** The URL of another part of the same list. The first needs no question. */
function hrefOf(place: { after?: string; before?: string }, params: URLSearchParams): string {
  const changed = new URLSearchParams(params)
  for (const name of placeNames) changed.delete(name)
  for (const [name, value] of Object.entries(place)) changed.set(name, value)
  return `?${changed}`
}

/** Which part of a list is shown, and links to the others, by places. Of an empty list nothing: it says so itself. */
export function ListPlaces({ thing, things, ...part }: Props) {
  const [params] = useSearchParams()
  const { rows, size, total, atLeast, first, next, prev } = part
  if (total === 0) return null
  const isSecond = first !== undefined && first <= size + 1
  const isNearEnd = !atLeast && first !== undefined && first + rows.length + size > total
  const link = (label: string, place: { after?: string; before?: string }) => (
    <Link to={hrefOf(place, params)} className="link tap">
      {label}
    </Link>
  )
  return (
    <nav aria-label="Pages" className="flex min-h-11 flex-wrap items-center gap-x-5">
      <span className="text-slate">
        {placeText(part)} {total === 1 && !atLeast ? thing : things}
      </span>
      {prev && !isSecond && link('First', {})}
      {prev && link('Previous', isSecond ? {} : { before: prev })}
      {next && link('Next', { after: next })}
      {next && !isNearEnd && link('Last', { before: LIST_END })}
    </nav>
  )
}
