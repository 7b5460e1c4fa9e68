import { packOrder } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { gramsText } from '@befaqt/domain/labelling'
import { momentText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useDraft } from '#web/forms/use-kept-form.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { FailureBanner } from '../../form-parts.tsx'
import {
  boxesOf,
  hasErrors,
  isUnchanged,
  lineErrors,
  noBoxOf,
  type OrderLine,
  packedLines,
  type TypedLine,
  type TypedLines,
  typedLines,
  typedTotal,
  withEarliest,
} from './packing.ts'
import { PackingLine } from './packing-line.tsx'
import { useScale } from './use-scale.ts'

/** What is typed of an order that is being packed: kept over a reload, sent line by line where it differs. */
function usePacking(order: ManagedOrder, onSaved: () => void) {
  const form = useDraft('packing', () => preselected(order))
  const typed = form.draft
  const [tried, setTried] = useState(false)
  const { busy, failure, run, dismiss } = useCall()
  const { revalidate } = useRevalidator()
  const lines = order.lines.filter(({ leftOut }) => leftOut === null)
  const changed = lines.filter(
    (line) => !isUnchanged(line, typed[line.position] ?? noLine, noBoxOf(line, order.noBox)),
  )
  const change = (line: OrderLine, now: TypedLine) => form.change({ ...typed, [line.position]: now })
  const send = async () => {
    const body = { lines: packedLines(lines, typed, order.noBox) }
    try {
      await callApi(packOrder, { params: { id: order._id }, body, version: order.version })
    } catch (error) {
      if (error instanceof ShopError && error.code === 'version.stale') void revalidate()
      throw error
    }
    form.saved()
    setTried(false)
    onSaved()
  }
  const save = () => {
    setTried(true)
    if (changed.some((line) => hasErrors(errorsOf(order, line, typed)))) dismiss()
    else void run(send)
  }
  return { typed, tried, busy, failure, changed, change, save, discard: form.discard }
}

const noLine: TypedLine = { grams: '', scale: '', boxes: [], noBox: null }

/** As it is saved; what is counted and has no box yet gets the earliest one. */
const preselected = ({ lines, noBox, boxes }: ManagedOrder): TypedLines => {
  const saved = typedLines(lines, noBox)
  return Object.fromEntries(
    lines.map((line) => [
      line.position,
      withEarliest(line, saved[line.position] ?? noLine, boxesOf(line, boxes)),
    ]),
  )
}

const errorsOf = ({ boxes, boxed }: ManagedOrder, line: OrderLine, typed: TypedLines) =>
  lineErrors(
    line,
    typed[line.position] ?? noLine,
    (boxID) => boxesOf(line, boxes).find((box) => box.boxID === boxID)?.left ?? null,
    boxed.includes(line.position),
  )

type Props = { order: ManagedOrder; onSaved: () => void; onDirty: (dirty: boolean) => void }

/** Weights and boxes of an order that is being packed, and what they make of its total. */
export function PackingForm({ order, onSaved, onDirty }: Props) {
  const zone = useMarketZone()
  const hydrated = useHydrated()
  const packing = usePacking(order, onSaved)
  const scales = useScale()
  const { typed, changed, failure } = packing
  const isDirty = changed.length > 0
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const weighed = (line: OrderLine): string | null => {
    const found = order.weighings.find(({ position }) => position === line.position)
    if (!found || line.finalGrams === null) return null
    const by = `Saved: ${gramsText(line.finalGrams)}, by ${found.who}, ${momentText(found.at, zone)}`
    return found.scale ? `${by}, ${found.scale}` : by
  }
  return (
    <section aria-label="Packing" className="no-print grid gap-4">
      <ScaleBar scales={scales} />
      {failure !== null && <FailureBanner error={failure} />}
      {order.lines.map((line) =>
        line.leftOut !== null ? (
          <p key={line.position} className="rounded-lg border border-line p-4 text-slate">
            {line.title}: left out. {line.leftOut}
          </p>
        ) : (
          <PackingLine
            key={line.position}
            line={line}
            typed={typed[line.position] ?? noLine}
            boxes={order.boxes}
            isBoxed={order.boxed.includes(line.position)}
            tried={packing.tried}
            scale={scales.scale}
            weighed={weighed(line)}
            onChange={(now) => packing.change(line, now)}
          />
        ),
      )}
      <TypedTotal order={order} typed={typed} />
      <div className="flex flex-wrap gap-3">
        <Button
          variant={isDirty ? 'primary' : 'outline'}
          disabled={!hydrated || !isDirty}
          aria-busy={packing.busy}
          onClick={packing.save}
        >
          {packing.busy ? 'One moment…' : 'Save weights and boxes'}
        </Button>
        {isDirty && (
          <Button variant="outline" onClick={packing.discard}>
            Discard changes
          </Button>
        )}
      </div>
    </section>
  )
}

/** What the weights that are typed make of the total, and whether the buyer will be asked. */
function TypedTotal({ order, typed }: { order: ManagedOrder; typed: TypedLines }) {
  const total = typedTotal(order, typed)
  const { agreed, most } = order
  const text = (amount: number) => formatDollars(cents(amount))
  return (
    <div role="status" className="grid gap-2">
      <p className="text-lg tabular-nums">
        Total as weighed <strong>{text(total)}</strong>{' '}
        <span className="text-base text-slate">
          (agreed {text(agreed)}, up to {text(most)} without asking)
        </span>
      </p>
      {total > most && (
        <Alert tone="warn">
          {text(total - most)} above what the buyer agreed to, tolerance included. Once all is weighed and
          saved, the buyer is asked by email; it can be packed when the new total is accepted.
        </Alert>
      )}
    </div>
  )
}

/** Connects a scale, and shows what it says. Where the browser can't, weights are typed. */
function ScaleBar({ scales }: { scales: ReturnType<typeof useScale> }) {
  const { able, scale, failure } = scales
  if (!able) return null
  const { reading } = scale ?? {}
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
      <Button variant="outline" onClick={scale ? scales.disconnect : scales.connect}>
        {scale ? 'Disconnect scale' : 'Connect a scale'}
      </Button>
      {scale && (
        <p className="tabular-nums" aria-live="off">
          {scale.name}:{' '}
          {reading
            ? `${gramsText(reading.grams)}, ${reading.isStable ? 'steady' : 'moving'}${reading.isGross ? ', gross: tare it first' : ''}`
            : 'waiting for a weight'}
        </p>
      )}
      {failure && <p className="font-semibold text-bad">{failure}</p>}
    </div>
  )
}
