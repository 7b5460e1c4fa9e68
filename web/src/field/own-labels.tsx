import { urlOf } from '@befaqt/domain/api/endpoint'
import { printFieldLabels } from '@befaqt/domain/api/endpoints/field'
import type { FieldUser, FreeLabels } from '@befaqt/domain/api/field-api'
import { numbersFrom } from '@befaqt/domain/box-numbers'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { PrintNumbers } from '#web/features/box/print-numbers.tsx'

/** The labels that are allotted to this supplier, to be printed while there is no box of their numbers. */
export function OwnLabels({ labels }: Pick<FieldUser, 'labels'>) {
  if (labels.length === 0) return null
  return (
    <section aria-labelledby="own-labels" className="grid gap-2">
      <h2 id="own-labels" className="text-2xl">
        My labels
      </h2>
      <ul className="divide-y divide-line border-line border-y">
        {labels.map((range) => (
          <Range key={range.first} range={range} />
        ))}
      </ul>
    </section>
  )
}

function Range({ range }: { range: FreeLabels }) {
  const { first, last, free, next } = range
  const [start] = next
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-mono wrap-anywhere">{first === last ? first : `${first} to ${last}`}</span>
        <span className="text-slate">{free === 0 ? 'all used' : `${free} free`}</span>
      </p>
      {start !== undefined && (
        <details>
          <summary className="link inline-flex min-h-11 items-center">
            Print {first === last ? 'it' : 'them'}
          </summary>
          <PrintNumbers
            label={`Print labels from ${first}`}
            first={start}
            count={inARow(next)}
            urlOf={(query) => urlOf(printFieldLabels, { query })}
            failed={(failure, dismiss) => (
              <Alert tone="bad" onDismiss={dismiss}>
                {userMessage(failure)}
              </Alert>
            )}
          />
        </details>
      )}
    </li>
  )
}

/** How many of these free numbers follow one another, from the first. */
function inARow(next: readonly string[]): number {
  const [first = ''] = next
  const gap = numbersFrom({ first, count: next.length }).findIndex((number, i) => number !== next[i])
  return gap < 0 ? next.length : gap
}
