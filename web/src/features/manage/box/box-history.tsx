import { type CorrectableKind, correctable } from '@befaqt/domain/box-input'
import { newestCorrections } from '@befaqt/domain/corrections'
import { kindsByAccount } from '@befaqt/domain/kinds-by-account'
import type { BoxRecord } from '@befaqt/provenance'
import { useState } from 'react'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { recordLabels } from '#web/features/box/record-table.tsx'
import { useDirtyGuard } from '#web/forms/dirty-guard.tsx'
import { Moment } from '#web/time/time.tsx'
import { fieldName, valueText } from '../list/differences.ts'
import { CORRECTION, CorrectionForm } from './correction-form.tsx'

type Props = {
  boxID: string
  records: readonly BoxRecord[]
  /** Records up to this one are anchored. */
  anchored: number
  sealed: boolean
  /** Names of those who made records of `kindsByAccount`. */
  makers: Readonly<Record<string, string>>
  onCorrected: () => void
}

const FIRST = 30
type Data = Readonly<Record<string, unknown>>

const isCorrectable = (kind: string): kind is CorrectableKind => Object.hasOwn(correctable, kind)
const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null

/** Who made a record, as managers call them. */
const makerOf = ({ kind, by }: Pick<BoxRecord, 'kind' | 'by'>, makers: Props['makers']): string =>
  (kindsByAccount.some((ours) => ours === kind) && makers[by]) || by

/** The values that a manager may change: the transaction is ours to make, and what is a sample stays one. */
const changeable = ({ txHash: _, sample: _sample, ...data }: Data): Data => data

/** The records of a box, newest first, each with what it says and the way to correct it. */
export function BoxHistory({ boxID, records, anchored, sealed, makers, onCorrected }: Props) {
  const [open, setOpen] = useState<number | null>(null)
  const [all, setAll] = useState(false)
  const { confirm } = useDirtyGuard()
  const corrections = newestCorrections(records)
  /** What a record says now: of a corrected one, its newest correction. */
  const present = (seq: number, data: Data): Data => {
    const corrected = corrections.get(seq)?.data
    return isData(corrected) ? corrected : data
  }
  const newest = records.toReversed()
  const done = () => {
    setOpen(null)
    onCorrected()
  }
  return (
    <>
      <ol aria-label="Records" className="border-line border-t">
        {(all ? newest : newest.slice(0, FIRST)).map(({ seq, kind, at, by, data }) => (
          <li key={seq} className="border-line border-b px-3 py-3 odd:bg-surface even:bg-ice">
            <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
              <span className="w-8 text-slate">{seq}</span>
              <div className="min-w-56 flex-1">
                <p>
                  <b className="font-semibold">{recordLabels[kind] ?? kind}</b>
                  {kind === 'correction' && ` of record ${valueText(data.corrects)}`}{' '}
                  <Badge tone={seq <= anchored ? 'good' : 'warn'}>
                    {seq <= anchored ? 'anchored' : 'pending'}
                  </Badge>
                </p>
                <p className="text-slate text-sm">
                  <Moment at={at} /> by {makerOf({ kind, by }, makers)}
                </p>
                <Says
                  data={kind === 'correction' && isData(data.data) ? data.data : data}
                  reason={data.reason}
                />
              </div>
              {isCorrectable(kind) && !sealed && open !== seq && (
                <Button
                  variant="outline"
                  className="px-3"
                  aria-label={`Correct record ${seq}`}
                  onClick={() => confirm(CORRECTION, () => setOpen(seq))}
                >
                  Correct
                </Button>
              )}
            </div>
            {open === seq && isCorrectable(kind) && (
              <CorrectionForm
                boxID={boxID}
                record={{ seq, kind, data: changeable(present(seq, data)) }}
                onDone={done}
                onCancel={() => setOpen(null)}
              />
            )}
          </li>
        ))}
      </ol>
      {!all && records.length > FIRST && (
        <Button variant="link" className="mt-3" onClick={() => setAll(true)}>
          Show all {records.length} records
        </Button>
      )}
    </>
  )
}

/** What a record says, in one line that unfolds. */
function Says({ data, reason }: { data: Data; reason: unknown }) {
  const parts = Object.entries(data).filter(
    ([name, value]) => name !== 'reason' && value !== '' && value !== null && typeof value !== 'object',
  )
  return (
    <p className="line-clamp-3 text-sm wrap-anywhere">
      {typeof reason === 'string' && reason !== '' && <>Because: {reason.replace(/\.$/, '')}. </>}
      {parts.map(([name, value]) => `${fieldName(name)} ${valueText(value)}`).join(' · ')}
    </p>
  )
}
