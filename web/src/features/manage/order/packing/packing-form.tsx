import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { gramsText } from '@befaqt/domain/labelling'
import { momentText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { useEffect } from 'react'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useMarketZone } from '#web/time/time.tsx'
import { FailureBanner } from '../../form-parts.tsx'
import { lineTitle } from '../order-parts.tsx'
import { type OrderLine, type TypedLines, typedTotal } from './packing.ts'
import { PackingLine } from './packing-line.tsx'
import { usePacking } from './use-packing.ts'
import { useScale } from './use-scale.ts'

type Props = { order: ManagedOrder; onSaved: () => void; onDirty: (dirty: boolean) => void }

/** Weights and boxes of an order that is being packed, and what they make of its total. */
export function PackingForm({ order, onSaved, onDirty }: Props) {
  const zone = useMarketZone()
  const hydrated = useHydrated()
  const packing = usePacking(order)
  const scales = useScale()
  const { busy, failure, run, dismiss } = useCall()
  const { typed, changed } = packing
  const isDirty = changed.length > 0
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const weighed = (line: OrderLine): string | null => {
    const found = order.weighings.find(({ position }) => position === line.position)
    if (!found || line.finalGrams === null) return null
    const by = `Saved: ${gramsText(line.finalGrams)}, by ${found.who}, ${momentText(found.at, zone)}`
    return found.scale ? `${by}, ${found.scale}` : by
  }
  const save = () => {
    if (!packing.check()) return dismiss()
    void run(async () => {
      await packing.send()
      onSaved()
    })
  }
  return (
    <section aria-label="Packing" className="no-print grid gap-4">
      <ScaleBar scales={scales} />
      {failure !== null && <FailureBanner error={failure} />}
      {order.lines.map((line) =>
        line.leftOut !== null ? (
          <p key={line.position} className="rounded-lg border border-line p-4 text-slate">
            {lineTitle(line)}: left out. {line.leftOut}
          </p>
        ) : (
          <PackingLine
            key={line.position}
            line={line}
            typed={packing.typedOfLine(line)}
            boxes={packing.boxesFor(line)}
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
          aria-busy={busy}
          onClick={save}
        >
          {busy ? 'One moment…' : 'Save weights and boxes'}
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
export function TypedTotal({ order, typed }: { order: ManagedOrder; typed: TypedLines }) {
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
export function ScaleBar({ scales }: { scales: ReturnType<typeof useScale> }) {
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
