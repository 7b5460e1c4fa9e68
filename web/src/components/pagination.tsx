import { Link, useSearchParams } from 'react-router'

/** `atLeast`: there are more, which were not counted. */
type Part = { page: number; size: number; total: number; atLeast?: true | undefined }
type Props = Part & {
  thing: string
  things: string
  /** Whether the focus goes to the other page, as to any page that is gone to. */
  focus?: boolean
}

const count = (n: number): string => n.toLocaleString('en-AU')

/** '49–96 of 1,003'; of the last alone '49–49 of 49', since '49 of 49' would be all. */
export function partText({ page, size, total, atLeast }: Part): string {
  const [from, to] = [Math.min(total, (page - 1) * size + 1), Math.min(total, page * size)]
  return `${total === 1 ? '1' : `${count(from)}–${count(to)}`} of ${count(total)}${atLeast ? ' and more' : ''}`
}

/** The URL of another page of the same list. The first needs no number. */
function hrefOf(page: number, params: URLSearchParams): string {
  const changed = new URLSearchParams(params)
  if (page === 1) changed.delete('page')
  else changed.set('page', String(page))
  return `?${changed}`
}

/** Which part of a list is shown, and links to its other pages. Of an empty list nothing: it says so itself. */
export function Pagination({ page, size, total, atLeast, thing, things, focus = false }: Props) {
  const [params] = useSearchParams()
  if (total === 0) return null
  const last = Math.max(1, Math.ceil(total / size))
  const link = (to: number, label: string) => (
    <Link to={hrefOf(to, params)} state={focus ? { focus } : null} className="link tap">
      {label}
    </Link>
  )
  return (
    <nav aria-label="Pages" className="flex min-h-11 flex-wrap items-center gap-x-5">
      <span className="text-slate">
        {partText({ page, size, total, atLeast })} {total === 1 ? thing : things}
      </span>
      {page > 2 && link(1, 'First')}
      {page > 1 && link(Math.min(last, page - 1), 'Previous')}
      {page < last && link(page + 1, 'Next')}
      {page < last - 1 && link(last, 'Last')}
    </nav>
  )
}

/** ', page 2' of a title or heading; nothing on the first. */
export const pageSuffix = ({ page }: Part): string => (page > 1 ? `, page ${page}` : '')

/** The address of one page of a list, of the one before and of the one after. @param path of the first */
export function partLinks(
  path: string,
  { page, size, total }: Part,
): { canonical: string; prev?: string; next?: string } {
  const at = (page: number): string => (page === 1 ? path : `${path}?page=${page}`)
  return {
    canonical: at(page),
    ...(page > 1 && { prev: at(page - 1) }),
    ...(page * size < total && { next: at(page + 1) }),
  }
}
