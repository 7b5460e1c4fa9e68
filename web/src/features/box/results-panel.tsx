import type { ReactNode } from 'react'
import { Panel } from './panel.tsx'
import type { Result } from './result-facts.tsx'
import { withUniqueKeys } from './unique-keys.ts'

type Props<Kind extends Result> = {
  title: string
  /** Said where there are no results. */
  none: string
  results: readonly Kind[]
  children: (result: Kind) => ReactNode
}

/** The results of one instrument, one below the other. `children` draws one. */
export function ResultsPanel<Kind extends Result>({ title, none, results, children }: Props<Kind>) {
  return (
    <Panel title={title}>
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
