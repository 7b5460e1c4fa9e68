import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedOrderRow } from '@befaqt/domain/api/order-api'
import { slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { managedOrderPath } from '../paths.ts'
import { buyerName, OrderStateMark } from './order-parts.tsx'

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** The order above or below, by the arrows: it is opened, unless somebody stays with what is not saved. */
function goBeside(event: KeyboardEvent<HTMLElement>): boolean {
  const step = steps[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a[data-order]')]
  const at = links.findIndex((link) => link.matches(':focus'))
  const next = links[at + step]
  if (at < 0 || next === undefined) return false
  event.preventDefault()
  next.focus()
  next.click()
  return true
}

/** The queue as it was narrowed, beside one of its orders: on screens wide enough for both. */
export function QueueBeside({ orders, shown }: { orders: Paged<ManagedOrderRow>; shown: string }) {
  const [params] = useSearchParams()
  const list = useRef<HTMLUListElement>(null)
  const byArrow = useRef(false)
  useEffect(() => {
    const link = list.current?.querySelector(`a[data-order="${CSS.escape(shown)}"]`)
    if (!(link instanceof HTMLElement)) return
    link.scrollIntoView({ block: 'nearest' })
    // A new address takes the focus to its content; who goes on by arrows stays in the list.
    if (byArrow.current) link.focus({ preventScroll: true })
    byArrow.current = false
  }, [shown])
  const search = params.size === 0 ? '' : `?${params}`
  const { rows, total, page, size } = orders
  const first = (page - 1) * size
  return (
    <nav
      aria-label="Queue"
      className="no-print sticky top-18 hidden max-h-[calc(100dvh-5.5rem)] overflow-y-auto min-[100rem]:block"
    >
      <p className="muted mb-2">
        {rows.length === 0
          ? 'No orders in this list'
          : `${first + 1} to ${first + rows.length} of ${total.toLocaleString('en-AU')}`}
      </p>
      <ul
        ref={list}
        onKeyDown={(event) => {
          if (goBeside(event)) byArrow.current = true
        }}
        className="divide-y divide-line border-line border-y"
      >
        {rows.map(({ _id, number, contact, slot, total, status }) => (
          <li key={_id}>
            <Link
              to={`${managedOrderPath(_id)}${search}`}
              preventScrollReset
              data-order={_id}
              aria-current={_id === shown ? 'page' : undefined}
              className="block px-3 py-2 text-sm hover:text-teal aria-[current=page]:bg-ice aria-[current=page]:text-teal"
            >
              <span className="flex items-baseline justify-between gap-3">
                <span className="font-semibold tabular-nums">{number}</span>
                <OrderStateMark state={status} />
              </span>
              <span className="flex items-baseline justify-between gap-3">
                <span className="wrap-anywhere">{buyerName(contact)}</span>
                <span className="tabular-nums">{formatDollars(cents(total))}</span>
              </span>
              <span className="block text-slate">{slotText(slot)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
