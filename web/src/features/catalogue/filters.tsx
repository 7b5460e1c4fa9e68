import type { ProductFacet } from '@befaqt/domain/catalogue'
import type { ChoiceKind } from '@befaqt/domain/shelf-choices'
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import { toggled } from '#web/loaders/list-address.ts'
import { dayText } from '#web/time/day.ts'

const groups: readonly { title: string; kinds: readonly ChoiceKind[] }[] = [
  { title: 'Only', kinds: ['tracked', 'special'] },
  { title: 'Best by', kinds: ['bestBy'] },
  { title: 'Sold as', kinds: ['cut'] },
  { title: 'Origin', kinds: ['origin'] },
  { title: 'Fished by', kinds: ['method'] },
]

type Option = ProductFacet['options'][number] & { kind: ChoiceKind }

const optionsOf = (facets: readonly ProductFacet[], kinds: readonly ChoiceKind[]): Option[] =>
  facets.flatMap(({ kind, options }) =>
    kinds.includes(kind) ? options.map((option) => ({ ...option, kind })) : [],
  )

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

const labelOf = ({ kind, label }: Option): string =>
  kind === 'bestBy' && isDate(label) ? `${dayText(label)} or later` : label

const shape = 'inline-flex min-h-11 items-center gap-2 rounded-full border px-3.5 text-sm leading-tight'

/** A choice with what it would leave. What would leave nothing stays in its place, so that nothing moves. */
function Chip({ option }: { option: Option }) {
  const [params] = useSearchParams()
  const { kind, value, count, isChosen } = option
  const text = (
    <>
      {isChosen && <Icon name="check" className="size-4" />}
      <span className="wrap-anywhere">{labelOf(option)}</span>
      <span className={`tabular-nums ${isChosen ? '' : 'text-slate'}`}>
        {count.toLocaleString('en-AU')}
        <span className="sr-only"> {count === 1 ? 'product' : 'products'}</span>
      </span>
    </>
  )
  if (count === 0 && !isChosen)
    return <span className={`${shape} border-line border-dashed text-slate`}>{text}</span>
  return (
    <Link
      to={toggled(params, kind, value)}
      preventScrollReset
      rel="nofollow"
      aria-current={isChosen || undefined}
      className={`${shape} ${isChosen ? 'border-teal bg-teal font-semibold text-on-teal' : 'border-edge bg-surface hover:border-teal hover:text-teal'}`}
    >
      {text}
    </Link>
  )
}

/** The choices of each kind, as links: they work without script, too. */
export function FilterChips({ facets }: { facets: readonly ProductFacet[] }) {
  return groups.map(({ title, kinds }) => {
    const options = optionsOf(facets, kinds)
    if (options.length === 0) return null
    return (
      <div key={title}>
        <p id={`by-${kinds[0]}`} className="mb-1.5 font-semibold">
          {title}
        </p>
        <ul aria-labelledby={`by-${kinds[0]}`} className="flex flex-wrap gap-2">
          {options.map((option) => (
            <li key={`${option.kind} ${option.value}`}>
              <Chip option={option} />
            </li>
          ))}
        </ul>
      </div>
    )
  })
}

/**
 * What is chosen, each to be taken off, and all at once.
 * @param clear the address without any filter
 */
export function Chosen({ facets, clear }: { facets: readonly ProductFacet[]; clear: string }) {
  const [params] = useSearchParams()
  const list = useRef<HTMLUListElement>(null)
  const chosen = optionsOf(
    facets,
    facets.map(({ kind }) => kind),
  ).filter(({ isChosen }) => isChosen)
  return (
    <ul ref={list} aria-label="Chosen filters" className="flex flex-wrap items-center gap-2">
      {chosen.map((option) => (
        <li key={`${option.kind} ${option.value}`}>
          <Link
            to={toggled(params, option.kind, option.value)}
            preventScrollReset
            rel="nofollow"
            onClick={() => focusNext(list.current)}
            className={`${shape} border-teal bg-teal-ice hover:bg-surface`}
          >
            <span className="sr-only">Take off </span>
            <span className="wrap-anywhere">{labelOf(option)}</span>
            <Icon name="close" className="size-4" />
          </Link>
        </li>
      ))}
      <li>
        <Link
          to={clear}
          preventScrollReset
          onClick={focusFound}
          className="link inline-flex min-h-11 items-center px-1"
        >
          Clear all filters
        </Link>
      </li>
    </ul>
  )
}

/** The link that was pressed is about to go: the focus waits on 'Clear all filters', or where the count is said. */
function focusNext(list: HTMLUListElement | null): void {
  const links = list?.querySelectorAll('a') ?? []
  if (links.length > 2) links[links.length - 1]?.focus({ preventScroll: true })
  else focusFound()
}

const focusFound = (): void => document.getElementById('found')?.focus({ preventScroll: true })

const isAtOnce = (target: EventTarget): boolean =>
  target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'checkbox')

/**
 * Filters in a `details`, so that they work without script and before it has come. On wide screens it is always open,
 * where the browser can do that; on a phone it closes when something was chosen, and by Escape.
 */
export function Filters({
  title,
  className = '',
  children,
}: {
  title: string
  className?: string
  children: ReactNode
}) {
  const ref = useRef<HTMLDetailsElement>(null)
  const close = () => {
    const summary = ref.current?.querySelector('summary')
    if (!ref.current?.open || !summary?.checkVisibility()) return
    ref.current.open = false
    summary.focus()
  }
  const onChange = ({ target }: SyntheticEvent) => {
    if (isAtOnce(target)) close()
  }
  const onClick = ({ target }: SyntheticEvent) => {
    if (target instanceof Element && target.closest('a')) close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }
  return (
    <details
      ref={ref}
      onChange={onChange}
      onClick={onClick}
      onSubmit={close}
      onKeyDown={onKeyDown}
      className={`no-print group lg:details-content:[content-visibility:visible] ${className}`}
    >
      <summary className="flex min-h-11 w-full cursor-pointer list-none items-center gap-2 rounded-md border border-edge px-4 font-semibold lg:supports-[selector(::details-content)]:hidden [&::-webkit-details-marker]:hidden">
        <Icon name="filter" className="size-5" />
        {title}
        <Icon name="down" className="ml-auto size-5 group-open:rotate-180" />
      </summary>
      {children}
    </details>
  )
}
