import type { ReactNode } from 'react'
import { Time } from '#web/time/time.tsx'
import { DescriptionColumns, DescriptionItem } from './description-list.tsx'
import { type Addresses, addressOf, fraction } from './format.ts'
import type { Origin } from './origin-mark.tsx'
import { Panel } from './panel.tsx'
import { withUniqueKeys } from './unique-keys.ts'

/** What results of every kind say. */
export type Result = {
  operator: string
  time: string
  latitude?: number | null
  longitude?: number | null
}

type Props = {
  result: Result
  /** From 0, as caught, to 1, past its best. */
  score: number | null | undefined
  origin: Origin
  addresses: Addresses
  children: ReactNode
}

/** Who came to a result, how fresh it says the fish is, when and where. `children` is the fact of its own kind. */
export function ResultFacts({ result, score, origin, addresses, children }: Props) {
  return (
    <DescriptionColumns>
      <DescriptionItem name="Operator" origin="declared">
        {result.operator}
      </DescriptionItem>
      <DescriptionItem name="Freshness score" origin={origin}>
        {fraction(score)}
      </DescriptionItem>
      {children}
      <DescriptionItem name="Date and time" origin="measured">
        <Time at={result.time} />
      </DescriptionItem>
      <DescriptionItem name="Address" origin="shop">
        {addressOf(addresses, result)}
      </DescriptionItem>
    </DescriptionColumns>
  )
}

type ResultsPanelProps<Kind extends Result> = {
  title: string
  /** Shown where there are no results. */
  none: string
  results: readonly Kind[]
  children: (result: Kind) => ReactNode
}

/** The results of one instrument, one below the other. `children` draws one. */
export function ResultsPanel<Kind extends Result>({
  title,
  none,
  results,
  children,
}: ResultsPanelProps<Kind>) {
  return (
    <Panel className="no-print" title={title}>
      {results.length === 0 && <p className="text-slate">{none}</p>}
      <ul>
        {withUniqueKeys(results, ({ time, operator }) => `${time} ${operator}`).map(([key, result]) => (
          <li key={key} className="grid gap-6 border-line border-b py-6 first:pt-0 last:border-0 last:pb-0">
            {children(result)}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
