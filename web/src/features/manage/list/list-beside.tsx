import type { Paged } from '@befaqt/domain/api/box-api'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { placeText } from '#web/components/list-places.tsx'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The row above or below, by the arrows: it is opened, unless somebody stays with what is not saved. */
function goBeside(event: KeyboardEvent<HTMLElement>): boolean {
  const step = steps[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[data-beside]')]
  const at = links.findIndex((link) => link.matches(':focus'))
  const next = links[at + step]
  if (at < 0 || next === undefined) return false
  event.preventDefault()
  next.focus()
  next.click()
  return true
}

/** Scrolls the list to its row, and not the page with it: its heading stays in sight. */
function showInList(link: HTMLElement): void {
  const list = link.closest('nav')
  if (list === null) return
  const [row, around] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  const below = row.bottom - Math.min(around.bottom, window.innerHeight)
  if (below > 0) list.scrollTop += below
  else if (row.top < around.top) list.scrollTop -= around.top - row.top
}

/** The address of one row with what its list was narrowed to: the list is beside it on a wide screen, and comes back so. */
export function useInList(path: string): string {
  const [params] = useSearchParams()
  return params.size === 0 ? path : `${path}?${params}`
}

type Props<Row> = {
  /** Names the list. */
  label: string
  /** What a row is called, as in 'box', and several of them. */
  thing: string
  things: string
  list: Paged<Row>
  idOf: (row: Row) => string
  /** The id of the row that is shown. */
  shown: string
  pathOf: (id: string) => string
  children: (row: Row) => ReactNode
}

/** The page of a list as it was narrowed, beside one of its rows: on screens wide enough for both. */
export function ListBeside<Row>({ label, thing, things, list, idOf, shown, pathOf, children }: Props<Row>) {
  const search = useInList('')
  const ref = useRef<HTMLUListElement>(null)
  const byArrow = useRef(false)
  useEffect(() => {
    const link = ref.current?.querySelector(`a[data-beside="${CSS.escape(shown)}"]`)
    if (!(link instanceof HTMLElement)) return
    // A new address takes the focus to its content; who goes on by arrows stays in the list.
    if (byArrow.current) {
      link.scrollIntoView({ block: 'nearest' })
      link.focus({ preventScroll: true })
    } else showInList(link)
    byArrow.current = false
  }, [shown])
  return (
    <nav
      aria-label={label}
      className="no-print sticky top-18 hidden max-h-[calc(100dvh-5.5rem)] overflow-y-auto min-[100rem]:block"
    >
      <p className="muted mb-2">
        {list.rows.length === 0
          ? `No ${things} in this list`
          : `${placeText(list)} ${list.total === 1 ? thing : things}`}
      </p>
      <ul
        ref={ref}
        onKeyDown={(event) => {
          if (goBeside(event)) byArrow.current = true
        }}
        className="divide-y divide-line border-line border-y"
      >
        {list.rows.map((row) => {
          const id = idOf(row)
          return (
            <li key={id}>
              <Link
                to={`${pathOf(id)}${search}`}
                preventScrollReset
                data-beside={id}
                aria-current={id === shown ? 'page' : undefined}
                className="block px-3 py-2 text-sm hover:text-teal aria-[current=page]:bg-ice aria-[current=page]:text-teal"
              >
                {children(row)}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** A line of a row: what it says, and at its end what is short. */
export const BesideLine = ({ children }: { children: ReactNode }) => (
  <span className="flex items-baseline justify-between gap-3">{children}</span>
)

type AroundProps = {
  /** Names the way back, and where it leads. */
  back: string
  to: string
  /** The list; null: it could not be read. */
  list: ReactNode
  children: ReactNode
}

/** One row with its list beside it on a wide screen, and the way back to that list. */
export function WithListBeside({ back, to, list, children }: AroundProps) {
  return (
    <>
      <p className="no-print mb-4">
        <Link to={useInList(to)} className="link tap">
          {back}
        </Link>
      </p>
      <div className="items-start gap-x-10 min-[100rem]:grid min-[100rem]:grid-cols-[21rem_minmax(0,1fr)]">
        {list}
        <div className="min-w-0 min-[100rem]:col-start-2">{children}</div>
      </div>
    </>
  )
}
