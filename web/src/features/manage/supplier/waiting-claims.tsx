import { decideClaim } from '@befaqt/domain/api/endpoints/suppliers'
import type { FieldClaim } from '@befaqt/domain/api/field-api'
import { temperatureText } from '@befaqt/domain/tracking'
import { callApi } from '#web/api/call-api.ts'
import { Time } from '#web/time/time.tsx'
import { type Column, PlainTable } from '../list/list-table.tsx'
import { RowAction } from '../list/row-action.tsx'
import type { Action } from '../use-action.ts'

const columns: readonly Column<FieldClaim>[] = [
  {
    heading: 'Box',
    isName: true,
    cell: ({ boxID }) => <span className="font-mono wrap-anywhere">{boxID}</span>,
  },
  {
    heading: 'Said by the receiver alone',
    className: 'text-sm wrap-anywhere max-lg:w-full',
    cell: ({ said, readings }) =>
      said && (
        <>
          {said.to} {said.accepted ? 'received' : 'refused'} it from {said.from}, <Time at={said.time} />
          {said.temperature !== null && `, ${temperatureText(said.temperature)} °C`}
          {said.reason && `: ${said.reason}`}
          {readings > 0 && (
            <span className="block text-slate">
              {readings === 1 ? '1 reading waits' : `${readings} readings wait`} with it
            </span>
          )}
        </>
      ),
  },
  {
    heading: 'Waits',
    className: 'text-sm',
    cell: ({ waitsUntil }) => (
      <>
        until <Time at={waitsUntil} />
      </>
    ),
  },
]

/** Hand-overs that their receivers alone said: each to be confirmed or refused, else it lapses. */
export function WaitingClaims({ rows, action }: { rows: readonly FieldClaim[]; action: Action }) {
  if (rows.length === 0) return null
  const decide = ({ id, boxID }: FieldClaim, confirmed: boolean) =>
    void action.run(async () => {
      await callApi(decideClaim, { params: { id }, body: { confirmed } })
      return confirmed
        ? `The hand-over of box ${boxID} was recorded.`
        : `The hand-over of box ${boxID} was refused: nothing was recorded.`
    })
  return (
    <section aria-labelledby="waiting-claims" className="mb-8">
      <h2 id="waiting-claims" className="mb-2 text-2xl">
        Hand-overs to confirm
      </h2>
      <PlainTable
        caption="Hand-overs to confirm"
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        actions={(row) => (
          <>
            <RowAction
              action="confirm"
              label={`Confirm that box ${row.boxID} changed hands`}
              disabled={!action.ready}
              onClick={() => decide(row, true)}
            >
              Confirm
            </RowAction>
            <RowAction
              action="refuse"
              label={`Refuse that box ${row.boxID} changed hands`}
              disabled={!action.ready}
              onClick={() => decide(row, false)}
            >
              Refuse
            </RowAction>
          </>
        )}
      />
    </section>
  )
}
