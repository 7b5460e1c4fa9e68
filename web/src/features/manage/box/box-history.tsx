import { readProof } from '@befaqt/domain/api/endpoints/boxes'
import { correctRecord } from '@befaqt/domain/api/endpoints/managed-boxes'
import { type CorrectableKind, correctable } from '@befaqt/domain/box'
import { kindsByAccount, newestCorrections } from '@befaqt/domain/box-history'
import { ShopError } from '@befaqt/domain/errors'
import { paragraph } from '@befaqt/domain/fields'
import { MAX_REASON } from '@befaqt/domain/limits'
import type { BoxRecord, WithheldRecord } from '@befaqt/provenance'
import { useCallback, useState } from 'react'
import { z } from 'zod'
import { callApi } from '#web/api/call-api.ts'
import { useRead } from '#web/api/use-read.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { recordLabels } from '#web/features/box/records.ts'
import { useDirtyGuard } from '#web/forms/dirty-guard.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { fieldName, valueText } from '../list/differences.ts'
import { typedPayload } from './box-forms.ts'

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

const FIRST = 10
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
                <p className="muted">
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

/** What a proof of this shop shows: its records are of the kinds that it knows. */
type OwnProof = { records: (BoxRecord | WithheldRecord)[] }

/** The first `count` records of a box with what they say; withheld ones are left out. @throws ShopError */
async function readRecords(boxID: string, count: number): Promise<BoxRecord[]> {
  const { records } = (await callApi(readProof, { params: { boxID } })) as OwnProof
  return records.slice(0, count).filter((record) => 'data' in record)
}

/** Every record that the page counts, read again when there are more. */
export const useRecords = (boxID: string, count: number) =>
  useRead(useCallback(() => readRecords(boxID, count), [boxID, count]))

/** The name under which the guard of dirty forms knows this one. */
const CORRECTION = 'correction'
const Reason = z.looseObject({
  reason: paragraph('reason', MAX_REASON).refine((reason) => reason !== '', 'reason is required'),
})

type Correctable = { seq: number; kind: CorrectableKind; data: Readonly<Record<string, unknown>> }

/** What the kind's schema refuses, by field; the field errors of the server's `data.x` are `x` here. */
function checked({ kind }: Correctable, data: unknown): void {
  const issues = correctable[kind].safeParse(data).error?.issues ?? []
  if (issues.length === 0) return
  const fields = issues.map(({ path, message }) => ({ path: String(path[0] ?? ''), message }))
  const message = fields.map((error) => `${fieldName(error.path)}: ${error.message}`).join('; ')
  throw new ShopError('input.invalid', message, { fields })
}

type CorrectionProps = { boxID: string; record: Correctable; onDone: () => void; onCancel: () => void }

/** Mends a record: its values as they are, to be changed, with the reason. A new record says so; the old one stays. */
function CorrectionForm({ boxID, record, onDone, onCancel }: CorrectionProps) {
  const form = useForm(Reason, async ({ reason, ...typed }) => {
    const data = typedPayload(record.data, typed)
    checked(record, data)
    await callApi(correctRecord, { params: { boxID }, body: { seq: record.seq, reason, data } })
    saved()
    onDone()
  })
  const { onChange, saved, confirm } = useKeptForm({
    name: CORRECTION,
    about: record.seq,
    form,
    discard: onCancel,
  })
  const errorOf = (name: string) => form.errors[name] ?? form.errors[`data.${name}`]
  return (
    <form
      {...form.formProps}
      onChange={onChange}
      aria-label={`Correct record ${record.seq}`}
      className="mt-3 grid gap-4 rounded-md border border-line bg-surface p-4"
    >
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {Object.entries(record.data).map(([name, value]) => (
          <PayloadField key={name} name={name} value={value} error={errorOf(name)} />
        ))}
      </div>
      <TextAreaField
        label="Reason"
        name="reason"
        rows={2}
        hint="Visible to everyone."
        error={form.errors.reason}
      />
      <FormActions
        ready={form.ready}
        busy={form.busy}
        save="Add correction"
        onCancel={() => confirm(onCancel)}
      />
    </form>
  )
}

function PayloadField({ name, value, error }: { name: string; value: unknown; error: string | undefined }) {
  if (typeof value === 'object' && value !== null)
    return (
      <div className="sm:col-span-2 lg:col-span-3">
        <TextAreaField
          label={fieldName(name)}
          name={name}
          rows={5}
          className="font-mono text-sm"
          hint="as JSON"
          defaultValue={JSON.stringify(value, null, 2)}
          error={error}
        />
      </div>
    )
  return (
    <InputField
      label={fieldName(name)}
      name={name}
      {...(typeof value === 'number' && { inputMode: 'decimal' as const })}
      defaultValue={String(value ?? '')}
      error={error}
    />
  )
}
