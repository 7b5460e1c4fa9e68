import { decideClaim } from '@befaqt/domain/api/endpoints/suppliers'
import type { FieldClaim } from '@befaqt/domain/api/field-api'
import { weightText } from '@befaqt/domain/labelling'
import { MAX_REASON } from '@befaqt/domain/limits'
import { CatchRefusal } from '@befaqt/domain/supplier'
import { temperatureText } from '@befaqt/domain/tracking'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { fileUrl } from '#web/api/file-url.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { InputField } from '#web/components/field.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { Moment } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { type Column, PlainTable, RowAction } from '../list/list-table.tsx'
import type { Action } from '../manage-layout.tsx'

const boxColumn: Column<FieldClaim> = {
  heading: 'Box',
  isName: true,
  cell: ({ boxID }) => <span className="font-mono wrap-anywhere">{boxID}</span>,
}

const columns: readonly Column<FieldClaim>[] = [
  boxColumn,
  {
    heading: 'Said by the receiver alone',
    className: 'text-sm wrap-anywhere max-lg:w-full',
    cell: ({ said, entries }) =>
      said && (
        <>
          {said.to} {said.accepted ? 'received' : 'refused'} it from {said.from}, <Moment at={said.time} />
          {said.temperature !== null && `, ${temperatureText(said.temperature)} °C`}
          {said.reason && `: ${said.reason}`}
          {entries > 0 && (
            <span className="block text-slate">
              {entries === 1 ? '1 reading waits' : `${entries} readings wait`} with it
            </span>
          )}
        </>
      ),
  },
  {
    heading: 'Waits',
    className: 'text-sm',
    cell: ({ waitsUntil }) =>
      waitsUntil && (
        <>
          until <Moment at={waitsUntil} />
        </>
      ),
  },
]

/** Why a catch waits. */
const doubts = {
  old: 'It came more than two weeks after it was caught.',
  number: 'The number is neither of a label of theirs nor one that a phone made.',
} as const

const catchColumns: readonly Column<FieldClaim>[] = [
  boxColumn,
  {
    heading: 'Catch',
    className: 'text-sm wrap-anywhere max-lg:w-full',
    cell: ({ caught, entries }) =>
      caught && (
        <div className="flex items-start gap-3">
          {caught.img && (
            <img
              src={`${fileUrl(caught.img)}?w=480&f=webp`}
              alt={`The catch: ${caught.species}`}
              loading="lazy"
              className="size-14 rounded-md object-cover"
            />
          )}
          <span>
            {[caught.species, caught.size, caught.grams && weightText(caught.grams), caught.method]
              .filter(Boolean)
              .join(', ')}
            , <Moment at={caught.time} />
            <span className="block text-slate">
              {caught.by}
              {caught.boat && ` · ${caught.boat}`}
              {caught.note && `: ${caught.note}`}
            </span>
            {entries > 0 && (
              <span className="block text-slate">
                {entries === 1
                  ? '1 more entry of this box waits'
                  : `${entries} more entries of this box wait`}{' '}
                with it
              </span>
            )}
          </span>
        </div>
      ),
  },
  {
    heading: 'Why it waits',
    className: 'text-sm max-lg:w-full',
    cell: ({ caught }) => caught && doubts[caught.doubt],
  },
]

type Props = { rows: readonly FieldClaim[]; action: Action }

/** Hand-overs that their receivers alone said: each to be confirmed or refused, else it lapses. */
export const WaitingClaims = ({ rows, action }: Props) => (
  <Waiting
    {...{ rows, action, columns }}
    id="waiting-claims"
    title="Hand-overs to confirm"
    yes={{ word: 'Confirm', label: (box) => `Confirm that box ${box} changed hands` }}
    no={{ word: 'Refuse', label: (box) => `Refuse that box ${box} changed hands` }}
    what={(box) => `The hand-over of box ${box}`}
    onRefuse={({ id, boxID }) =>
      void action.run(async () => {
        await callApi(decideClaim, { params: { id }, body: { confirmed: false } })
        return `The hand-over of box ${boxID} was refused: nothing was recorded.`
      })
    }
  />
)

/** Catches that are not recorded before a manager has looked at them; one that is refused needs a reason. */
export function WaitingCatches({ rows, action }: Props) {
  const [refused, setRefused] = useState<FieldClaim | null>(null)
  return (
    <>
      <Waiting
        {...{ rows, action }}
        columns={catchColumns}
        id="waiting-catches"
        title="Catches to look at"
        yes={{ word: 'Record', label: (box) => `Record the catch of box ${box}` }}
        no={{ word: 'Refuse', label: (box) => `Refuse the catch of box ${box}` }}
        what={(box) => `The catch of box ${box}`}
        onRefuse={setRefused}
      />
      <Dialog
        open={refused !== null}
        title={`Refuse the catch of box ${refused?.boxID ?? ''}?`}
        onClose={() => setRefused(null)}
      >
        {refused && (
          <Refusal
            key={refused.id}
            of={refused}
            onDone={() => {
              setRefused(null)
              action.done(`The catch of box ${refused.boxID} was refused: nothing was recorded.`)
            }}
            onClose={() => setRefused(null)}
          />
        )}
      </Dialog>
    </>
  )
}

type RefusalProps = { of: FieldClaim; onDone: () => void; onClose: () => void }

function Refusal({ of: { id, caught, entries }, onDone, onClose }: RefusalProps) {
  const form = useForm(CatchRefusal, async ({ reason }) => {
    await callApi(decideClaim, { params: { id }, body: { confirmed: false, reason } })
    onDone()
  })
  return (
    <form {...form.formProps} aria-label="Refuse a catch" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <p>
        {caught?.by ?? 'Its supplier'} is told why, and can record it again under another number.
        {entries > 0 && ' What was sent of this box since then is not recorded either.'}
      </p>
      <InputField
        label="Why"
        name="reason"
        maxLength={MAX_REASON}
        autoComplete="off"
        error={form.errors.reason}
      />
      <FormActions ready={form.ready} busy={form.busy} save="Refuse it" onCancel={onClose} />
    </form>
  )
}

type Choice = { word: string; label: (boxID: string) => string }
type WaitingProps = Props & {
  id: string
  title: string
  columns: readonly Column<FieldClaim>[]
  yes: Choice
  no: Choice
  what: (boxID: string) => string
  onRefuse: (row: FieldClaim) => void
}

/** Nothing where none waits. */
function Waiting({ rows, action, id: heading, title, columns, yes, no, what, onRefuse }: WaitingProps) {
  if (rows.length === 0) return null
  const confirm = ({ id, boxID }: FieldClaim) =>
    void action.run(async () => {
      await callApi(decideClaim, { params: { id }, body: { confirmed: true } })
      return `${what(boxID)} was recorded.`
    })
  return (
    <section aria-labelledby={heading} className="mb-8">
      <h2 id={heading} className="mb-2 text-2xl">
        {title}
      </h2>
      <PlainTable
        caption={title}
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        actions={(row) => (
          <>
            <RowAction
              action="confirm"
              label={yes.label(row.boxID)}
              disabled={!action.ready}
              onClick={() => confirm(row)}
            >
              {yes.word}
            </RowAction>
            <RowAction
              action="refuse"
              label={no.label(row.boxID)}
              disabled={!action.ready}
              onClick={() => onRefuse(row)}
            >
              {no.word}
            </RowAction>
          </>
        )}
      />
    </section>
  )
}
