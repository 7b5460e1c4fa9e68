import type { BoxRecord } from '@befaqt/provenance'
import { kg } from '@befaqt/provenance/balance-messages'
import { Moment } from '#web/time/time.tsx'
import { weigherText } from './weigher-text.ts'

type Props = { records: readonly BoxRecord[]; makers: Readonly<Record<string, string>> }

/** The weights that a box's records state, the newest first, with who weighed and who typed. */
export function StatedWeights({ records, makers }: Props) {
  const weights = records.filter(({ kind }) => kind === 'weight').toReversed()
  if (weights.length === 0) return null
  const isSigned = weights.some(({ data }) => Object.hasOwn(data, 'weighed'))
  return (
    <div className="mb-6 max-w-2xl">
      <ol aria-label="Weights recorded" className="divide-y divide-line border-line border-y">
        {weights.map(({ seq, at, by, data }) => (
          <li key={seq} className="py-3 wrap-anywhere">
            <span className="font-semibold">{typeof data.grams === 'number' && `${kg(data.grams)} kg`}</span>{' '}
            {data.of === 'catch' ? 'as it was caught' : 'as it was boxed'},{' '}
            {weigherText(data, makers[by] || by)}
            <span className="block muted">
              Record {seq}, <Moment at={at} />
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-2 muted">
        The newest of the box counts, else that of the catch.
        {isSigned && ' A signature was checked when it came; the public page checks it against the ledger.'}
      </p>
    </div>
  )
}
