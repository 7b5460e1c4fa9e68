import { changeProducts, undoChanges } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { DeskToday } from '@befaqt/domain/api/today-api'
import { centsFromDecimal, priceLabel } from '@befaqt/domain/money'
import { useState } from 'react'
import { Link } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { Button } from '#web/components/button.tsx'
import { daysAway } from '#web/time/today.ts'
import { FailureBanner } from '../form-parts.tsx'
import { useAction } from '../manage-layout.tsx'
import { managedBoxPath } from '../paths.ts'
import { Panel, rowsClass } from './panel.tsx'

type Near = DeskToday['nearBest'][number]

const markdowns = [10, 25, 50] as const

/** What is on sale and near its best-by: marked down by one press, which another takes back. */
export function NearBest({ list, today }: { list: readonly Near[]; today: string }) {
  const action = useAction()
  /** Changes that were made here, by product: the last of each can be undone. */
  const [changes, setChanges] = useState<ReadonlyMap<string, number>>(new Map())
  const markDown = ({ _id, title }: Near, discount: number): void => {
    void action.run(async () => {
      const { rows } = await callApi(changeProducts, { body: { ids: [_id], set: { discount } } })
      const [row] = rows
      if (row) setChanges((all) => new Map(all).set(_id, row.change))
      return row
        ? `${title} is marked down by ${discount} %.`
        : `${title} was marked down by ${discount} % already.`
    })
  }
  const undo = ({ _id, title }: Near, change: number): void => {
    void action.run(async () => {
      const { left } = await callApi(undoChanges, { body: { changes: [change] } })
      setChanges((all) => new Map([...all].filter(([id]) => id !== _id)))
      return left.length === 0
        ? `${title} has its former price again.`
        : `${title} was changed since, and stays as it is.`
    })
  }
  return (
    <Panel id="near-best" title="Near its best-by">
      {action.failure !== null && <FailureBanner error={action.failure} onDismiss={action.dismiss} />}
      <p role="status" className={action.message ? 'mb-2 text-good' : 'sr-only'}>
        {action.message}
      </p>
      {list.length === 0 ? (
        <p className="border-line border-y py-5 text-slate">Nothing on sale is best by tomorrow or before.</p>
      ) : (
        <ul className={rowsClass}>
          {list.map((near) => (
            <NearRow
              key={near._id}
              near={near}
              today={today}
              isReady={action.ready && !action.busy}
              onMarkDown={(discount) => markDown(near, discount)}
              onUndo={changes.has(near._id) ? () => undo(near, changes.get(near._id) ?? 0) : null}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

type RowProps = {
  near: Near
  today: string
  isReady: boolean
  onMarkDown: (discount: number) => void
  onUndo: (() => void) | null
}

function NearRow({ near, today, isReady, onMarkDown, onUndo }: RowProps) {
  const { title, price, discount, unit, stock, boxID, bestBy } = near
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-64">
        <Link
          to={`/manage/product?${new URLSearchParams({ q: title })}`}
          className="block font-semibold wrap-anywhere hover:text-teal"
        >
          {title}
        </Link>
        <span className="block text-sm">
          <span className={bestBy === null || bestBy < today ? 'font-semibold text-bad' : 'text-warn'}>
            {bestBy === null ? 'past its best' : `best by ${daysAway(today, bestBy)}`}
          </span>
          , {stock} {unit}, {priceLabel(centsFromDecimal(price), discount, unit)},{' '}
          <Link to={managedBoxPath(boxID)} className="underline underline-offset-4 hover:text-teal">
            box {boxID}
          </Link>
        </span>
      </div>
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">Mark down {title}</legend>
        {markdowns.map((percent) => (
          <Button
            key={percent}
            variant="outline"
            className="px-3 tabular-nums aria-pressed:border-teal aria-pressed:bg-teal-ice"
            aria-pressed={discount === percent}
            aria-label={`Mark ${title} down by ${percent} %`}
            aria-disabled={!isReady}
            onClick={() => isReady && onMarkDown(percent)}
          >
            −{percent} %
          </Button>
        ))}
        {onUndo && (
          <Button
            variant="link"
            className="px-2"
            aria-label={`Undo the markdown of ${title}`}
            aria-disabled={!isReady}
            onClick={() => isReady && onUndo()}
          >
            Undo
          </Button>
        )}
      </fieldset>
    </li>
  )
}
