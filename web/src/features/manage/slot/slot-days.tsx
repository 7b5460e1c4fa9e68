import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import { dayText } from '@befaqt/domain/moment-text'
import { Fragment, type ReactNode } from 'react'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { daysAway, useToday } from '#web/time/today.ts'
import { useColumns } from '../list/columns.tsx'
import { ACTIONS, bodyClass, EmptyList, ListTable, TableRow } from '../list/list-table.tsx'
import { dayOf, slotColumns } from './slot-row.tsx'

type Props = {
  slots: readonly ManagedSlot[]
  empty: string
  /** Id of the slot whose change is under way. */
  busy: string | null
  /** Days on which weekly times make none. */
  closed: ReadonlySet<string>
  onCloseDay: ((day: string) => void) | null
  actions: (slot: ManagedSlot) => ReactNode
}

/** Slots as a table, with a heading for each day. */
export function SlotDays({ slots, empty, busy, closed, onCloseDay, actions }: Props) {
  const { shown, chooser } = useColumns(slotColumns(useHydrated() ? Date.now() : undefined))
  const days = Map.groupBy(slots, dayOf)
  const headings = [...shown, { heading: ACTIONS }]
  return (
    <>
      {chooser}
      {slots.length === 0 ? (
        <EmptyList>{empty}</EmptyList>
      ) : (
        <ListTable caption="Slots" headings={headings}>
          {[...days].map(([day, ofDay]) => (
            <Fragment key={day}>
              <DayHead day={day} span={headings.length} isClosed={closed.has(day)} onClose={onCloseDay} />
              {ofDay.map((slot) => (
                <tbody
                  key={slot._id}
                  data-row={slot._id}
                  aria-busy={busy === slot._id || undefined}
                  className={bodyClass}
                >
                  <TableRow
                    columns={shown}
                    row={slot}
                    actions={actions(slot)}
                    className="max-lg:*:last:ms-auto max-lg:*:last:w-auto"
                  />
                </tbody>
              ))}
            </Fragment>
          ))}
        </ListTable>
      )}
    </>
  )
}

type HeadProps = { day: string; span: number; isClosed: boolean; onClose: Props['onCloseDay'] }

/** A day, with how far it is away, and the way to close all of it. */
function DayHead({ day, span, isClosed, onClose }: HeadProps) {
  const today = useToday()
  const hydrated = useHydrated()
  const name = dayText(day)
  return (
    <tbody className="border-edge border-b max-lg:block">
      <tr className="max-lg:block">
        <th scope="rowgroup" colSpan={span} className="text-left font-normal max-lg:block lg:px-3">
          <div className="flex flex-wrap items-center gap-x-3 pt-5 pb-1">
            <h3 className="text-lg">{name}</h3>
            <span className="muted">{today && daysAway(today, day)}</span>
            {isClosed && <Badge>closed day</Badge>}
            {onClose && !isClosed && (
              <Button
                variant="link"
                className="ms-auto"
                aria-label={`Close the day, ${name}`}
                disabled={!hydrated}
                onClick={() => onClose(day)}
              >
                Close the day
              </Button>
            )}
          </div>
        </th>
      </tr>
    </tbody>
  )
}
