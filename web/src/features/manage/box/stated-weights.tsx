import type { BoxRecord } from '@befaqt/provenance'
import { Moment } from '#web/time/time.tsx'
import { weightRows } from './weight-rows.ts'

type Props = { records: readonly BoxRecord[]; makers: Readonly<Record<string, string>> }

/** The weights that a box's records state, the newest first, with who weighed and who typed. */
export function StatedWeights({ records, makers }: Props) {
  const rows = weightRows(records, makers)
  if (rows.length === 0) return null
  return (
    <div className="mb-6 max-w-2xl">
      <ol aria-label="Weights recorded" className="divide-y divide-line border-line border-y">
        {rows.map(({ seq, at, amount, said }) => (
          <li key={seq} className="py-3 wrap-anywhere">
            <span className="font-semibold">{amount}</span> {said}
            <span className="block muted">
              Record {seq}, <Moment at={at} />
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-2 muted">
        The newest of the box counts, else that of the catch.
        {rows.some(({ isSigned }) => isSigned) &&
          ' A signature was checked when it came; the public page checks it against the ledger.'}
      </p>
    </div>
  )
}
