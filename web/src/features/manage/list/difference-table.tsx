import { type Difference, fieldName } from './differences.ts'

/** Fields with what they were and what they are. */
export function DifferenceTable({ rows, caption }: { rows: readonly Difference[]; caption: string }) {
  return (
    <dl aria-label={caption} className="grid gap-y-2">
      {rows.map(({ field, from, to }) => (
        <div key={field} className="grid gap-x-4 sm:grid-cols-[9rem_1fr]">
          <dt className="font-semibold">{fieldName(field)}</dt>
          <dd className="min-w-0 wrap-anywhere">
            <s className="text-slate">{from}</s>
            <span aria-hidden="true"> → </span>
            <span className="sr-only"> became </span>
            {to}
          </dd>
        </div>
      ))}
    </dl>
  )
}
