import { createContext, type ReactNode, useContext, useId } from 'react'
import { LineDrawing } from '#web/components/icon.tsx'

type Props = {
  title: ReactNode
  id?: string
  /** How all values in it came to be known, where that is the same for all. */
  origin?: Origin
  className?: string
  children: ReactNode
}

/** A part of the page with its heading. */
export function Panel({ title, id, origin, className = '', children }: Props) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className={`border-line border-t pt-6 pb-10 ${className}`}>
      <div className="mb-5 flex items-baseline gap-2 print:mb-1">
        <h2 id={headingId} className="text-2xl md:text-3xl">
          {title}
        </h2>
        {origin && <OriginMark origin={origin} />}
      </div>
      {children}
    </section>
  )
}

const InColumns = createContext(false)

/** Names with their values beside them. */
export function DescriptionList({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(6.5rem,auto)_1fr] gap-x-6 gap-y-3">{children}</dl>
}

/** Names with their values below them, in as many columns as there is room for. */
export function DescriptionColumns({ children }: { children: ReactNode }) {
  return (
    <InColumns value={true}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-3 xl:grid-cols-5">{children}</dl>
    </InColumns>
  )
}

type ItemProps = { name: string; origin?: Origin; children: ReactNode }

/** One value; nothing at all where it was not given. */
export function DescriptionItem({ name, origin, children }: ItemProps) {
  const inColumns = useContext(InColumns)
  if (children === '' || children === null || children === undefined) return null
  return (
    <div className={inColumns ? 'min-w-0' : 'contents'}>
      <dt className={`text-slate ${inColumns ? 'text-sm' : ''}`}>{name}</dt>
      <dd className="min-w-0">
        <span className="whitespace-pre-line">{children}</span> {origin && <OriginMark origin={origin} />}
      </dd>
    </div>
  )
}

/** Where a value comes from; `shop`: it is in no record. Source: protocol §7. */
export type Origin = 'measured' | 'declared' | 'computed' | 'shop'

const origins: Record<Origin, { word: string; meaning: string; drawing: string }> = {
  measured: {
    word: 'measured',
    meaning: 'by a device',
    drawing: 'M14 14.2V5.5a2 2 0 0 0-4 0v8.7a4 4 0 1 0 4 0zM12 9v8',
  },
  declared: {
    word: 'declared',
    meaning: 'by a person, in their own words',
    drawing: 'm5 19 1-4L16 5l3 3L9 18zM13.5 7.5l3 3',
  },
  computed: {
    word: 'computed',
    meaning: 'from the records, by a formula that the page names',
    drawing: 'M17 8V5.5H7l6 6.5-6 6.5h10V16',
  },
  shop: {
    word: 'the shop’s word',
    meaning: 'looked up by the shop: it is in no record, so nothing proves it',
    drawing: 'M4.5 10 6 5h12l1.5 5zM6 10v9h12v-9M10 19v-5h4v5',
  },
}

const LEGEND = 'origins'

function Drawing({ origin }: { origin: Origin }) {
  return (
    <LineDrawing className="size-4">
      <path d={origins[origin].drawing} />
    </LineDrawing>
  )
}

/** Says beside a value how it came to be known; pressed, it opens the legend. On paper it is the word. */
export function OriginMark({ origin }: { origin: Origin }) {
  const { word, meaning } = origins[origin]
  return (
    <>
      <button
        type="button"
        popoverTarget={LEGEND}
        title={`${word}: ${meaning}`}
        className="inline-grid size-6 shrink-0 place-items-center self-center rounded-full align-middle text-slate hover:bg-ice hover:text-ink"
      >
        <span className="sr-only">{word}</span>
        <Drawing origin={origin} />
      </button>
      <span
        aria-hidden={origin === 'shop' || undefined}
        className={`font-normal font-sans text-slate text-xs italic print:inline ${origin === 'shop' ? '' : 'hidden'}`}
      >
        {word}
      </span>
    </>
  )
}

/** What the marks mean: once on a page that has them. */
export function OriginLegend() {
  return (
    <div
      id={LEGEND}
      popover="auto"
      className="m-auto max-w-[min(26rem,calc(100vw-2rem))] rounded-lg border border-edge bg-surface p-6 text-ink"
    >
      <h2 className="mb-3 text-xl">Where a value comes from</h2>
      <dl className="grid gap-3">
        {(Object.keys(origins) as Origin[]).map((origin) => (
          <div key={origin} className="grid grid-cols-[1.5rem_1fr] items-start gap-2">
            <dt className="contents">
              <Drawing origin={origin} />
              <b className="font-semibold">{origins[origin].word}</b>
            </dt>
            <dd className="col-start-2 text-slate">{origins[origin].meaning}</dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        popoverTarget={LEGEND}
        popoverTargetAction="hide"
        className="link mt-3 min-h-11 font-semibold"
      >
        Close
      </button>
    </div>
  )
}
