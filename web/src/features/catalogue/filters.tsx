import type { ProductFacet } from '@befaqt/domain/catalogue'
import { dayText } from '@befaqt/domain/moment-text'
import type { FacetKind } from '@befaqt/domain/shelf-choices'
import { type ReactNode, type SyntheticEvent, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Icon } from '#web/components/icon.tsx'
import { toggled } from '#web/features/catalogue/list-address.ts'

const groups: readonly [title: string, ...kinds: FacetKind[]][] = [
  ['Category', 'category'],
  ['Only', 'stock', 'tracked', 'special'],
  ['Freshness', 'fresh', 'bestBy'],
  ['Sold as', 'cut'],
  ['Origin', 'origin'],
  ['Fished by', 'method'],
]

type Option = ProductFacet['options'][number] & { kind: FacetKind }
type Facets = { facets: readonly ProductFacet[] }

const optionsOf = (facets: readonly ProductFacet[]): Option[] =>
  facets.flatMap(({ kind, options }) => options.map((option) => ({ ...option, kind })))

/** Is anything chosen of what is offered? */
export const isNarrowed = (facets: readonly ProductFacet[]): boolean =>
  optionsOf(facets).some(({ isChosen }) => isChosen)

const shape = 'tap gap-2 rounded-full border px-3.5 text-sm leading-tight'

/** A link that turns a choice over. */
function Toggle({
  option,
  className,
  onClick,
  children,
}: {
  option: Option
  className: string
  onClick?: () => void
  children: ReactNode
}) {
  const [params] = useSearchParams()
  return (
    <Link
      to={toggled(params, option)}
      preventScrollReset
      rel="nofollow"
      aria-current={(option.isChosen && !onClick) || undefined}
      onClick={onClick}
      className={`${shape} ${className}`}
    >
      {children}
    </Link>
  )
}

const nameOf = ({ kind, label }: Option): ReactNode => (
  <span className="wrap-anywhere">{kind === 'bestBy' ? `Best by ${dayText(label)} or later` : label}</span>
)

/** A choice with what it would leave. What would leave nothing stays in its place, so that nothing moves. */
function Chip({ option }: { option: Option }) {
  const { count, isChosen } = option
  const text = (
    <>
      {isChosen && <Icon name="check" className="size-4" />}
      {nameOf(option)}
      <span className={isChosen ? '' : 'text-slate'}>
        {count.toLocaleString('en-AU')}
        <span className="sr-only"> {count === 1 ? 'product' : 'products'}</span>
      </span>
    </>
  )
  if (count === 0 && !isChosen)
    return <span className={`${shape} border-line border-dashed text-slate`}>{text}</span>
  const look = isChosen
    ? 'border-teal bg-teal font-semibold text-on-teal'
    : 'border-edge bg-surface hover:border-teal hover:text-teal'
  return (
    <Toggle option={option} className={look}>
      {text}
    </Toggle>
  )
}

/** The choices of each kind, as links: they work without script, too. */
export function FilterChips({ facets }: Facets) {
  return groups.map(([title, ...kinds]) => {
    const options = optionsOf(facets.filter(({ kind }) => kinds.includes(kind)))
    return (
      options.length > 0 && (
        <div key={title}>
          <p className="mb-1.5 font-semibold">{title}</p>
          <ul aria-label={title} className="flex flex-wrap gap-2">
            {options.map((option) => (
              <li key={`${option.kind} ${option.value}`}>
                <Chip option={option} />
              </li>
            ))}
          </ul>
        </div>
      )
    )
  })
}

/**
 * What is chosen, each to be taken off, and all at once. What is pressed goes: the focus waits on what is said of the list.
 * @param clear the address without any filter
 */
export function Chosen({ facets, clear }: Facets & { clear: string }) {
  const focusFound = () => document.getElementById('found')?.focus({ preventScroll: true })
  return (
    <ul aria-label="Chosen filters" className="flex flex-wrap items-center gap-2">
      {optionsOf(facets).map(
        (option) =>
          option.isChosen && (
            <li key={`${option.kind} ${option.value}`}>
              <Toggle option={option} onClick={focusFound} className="border-teal bg-teal-ice">
                <span className="sr-only">Take off </span>
                {nameOf(option)}
                <Icon name="close" className="size-4" />
              </Toggle>
            </li>
          ),
      )}
      <li>
        <Link to={clear} preventScrollReset onClick={focusFound} className="link tap px-1">
          Clear all filters
        </Link>
      </li>
    </ul>
  )
}

/**
 * Filters in a `details`, so that they work without script and before it has come. On wide screens it is always open,
 * where the browser can do that; on a phone it closes when something was chosen, and by Escape.
 */
export function Filters({ title, children }: { title: string; children: ReactNode }) {
  const ref = useRef<HTMLDetailsElement>(null)
  const close = () => {
    const summary = ref.current?.querySelector('summary')
    if (!ref.current?.open || !summary?.checkVisibility()) return
    ref.current.open = false
    summary.focus()
  }
  const closeAfter =
    (choice: string) =>
    ({ target }: SyntheticEvent) => {
      if (target instanceof Element && target.closest(choice)) close()
    }
  return (
    <details
      ref={ref}
      onChange={closeAfter('select')}
      onClick={closeAfter('a')}
      onSubmit={close}
      onKeyDown={({ key }) => key === 'Escape' && close()}
      className="no-print group lg:self-start lg:details-content:[content-visibility:visible]"
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
