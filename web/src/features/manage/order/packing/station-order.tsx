import { moveOrder } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { gramsText } from '@befaqt/domain/labelling'
import { useEffect, useRef, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureBanner } from '../../form-parts.tsx'
import { managedOrderPath } from '../../paths.ts'
import { mustWaitText } from '../order-moves.tsx'
import { buyerName, lineTitle, quantityText, stateLabels } from '../order-parts.tsx'
import { hasErrors, type OrderLine, type TypedLine, typedGrams, typedTotal } from './packing.ts'
import { TypedTotal } from './packing-form.tsx'
import { StationLine } from './station-line.tsx'
import { usePacking } from './use-packing.ts'
import type { useScale } from './use-scale.ts'

type Props = {
  order: ManagedOrder
  scale: ReturnType<typeof useScale>['scale']
  isLast: boolean
  onPacked: () => void
  onSkip: () => void
}

/** One order: its lines, the one that is packed now, and packing it once each was gone through. */
export function StationOrder({ order, scale, isLast, onPacked, onSkip }: Props) {
  const hydrated = useHydrated()
  const packing = usePacking(order)
  const { busy, failure, run } = useCall()
  const { revalidate } = useRevalidator()
  const lines = order.lines.filter(({ leftOut }) => leftOut === null)
  const isSaved = (line: OrderLine) => line.finalGrams !== null || line.boxes.length > 0
  const [seen, setSeen] = useState(() => new Set(lines.filter(isSaved).map(({ position }) => position)))
  const isDone = (line: OrderLine) => seen.has(line.position) && !hasErrors(packing.errors(line))
  const firstOpen = lines.find((line) => !isDone(line))?.position ?? null
  const [at, setAt] = useState(firstOpen)
  const line = lines.find(({ position }) => position === at)
  const end = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (at === null) end.current?.focus()
  }, [at])
  const waits = mustWaitText(order)
  const isAsked = order.asksBuyer && packing.changed.length === 0
  const asks = typedTotal(order, packing.typed) > order.most
  if (order.status !== 'PLACED' || waits !== null || isAsked)
    return <Held order={order} why={waits} isLast={isLast} onSkip={onSkip} />
  const endLine = (position: number) => {
    const now = new Set(seen).add(position)
    setSeen(now)
    const rest = lines.filter((one) => one.position !== position && !(now.has(one.position) && isDone(one)))
    setAt(rest.find((one) => one.position > position)?.position ?? rest[0]?.position ?? null)
  }
  const pack = () =>
    run(async () => {
      if (!packing.check()) return
      const saved = packing.changed.length > 0 ? await packing.send() : order
      if (saved.asksBuyer) return revalidate()
      try {
        await callApi(moveOrder, {
          params: { id: order._id },
          body: { status: 'PACKED', reason: '' },
          version: saved.version,
        })
      } catch (error) {
        void revalidate()
        throw error
      }
      onPacked()
    })
  return (
    <article aria-label={`Order ${order.number}`} className="grid gap-5">
      <Head order={order} />
      {failure !== null && <FailureBanner error={failure} />}
      <div className={`grid gap-6 ${lines.length > 1 ? 'md:grid-cols-[17rem_minmax(0,1fr)]' : ''}`}>
        <ol className="grid content-start gap-1" aria-label="Lines" hidden={lines.length === 1}>
          {lines.map((one) => (
            <li key={one.position}>
              <LineButton
                line={one}
                typed={packing.typedOfLine(one)}
                isDone={isDone(one)}
                isNow={one.position === at}
                onChoose={() => setAt(one.position)}
              />
            </li>
          ))}
        </ol>
        {line ? (
          <StationLine
            key={line.position}
            line={line}
            typed={packing.typedOfLine(line)}
            boxes={packing.boxesFor(line)}
            isBoxed={order.boxed.includes(line.position)}
            tried={packing.tried}
            scale={scale}
            next={lines.length > 1 ? 'Next line' : 'Done'}
            onChange={(now) => packing.change(line, now)}
            onDone={() => endLine(line.position)}
          />
        ) : (
          <p className="self-center text-slate text-xl">
            Every line is weighed. Weights and boxes are final once it is packed.
          </p>
        )}
      </div>
      <div className="grid gap-3 border-line border-t pt-4">
        <TypedTotal order={order} typed={packing.typed} />
        <div className="flex flex-wrap gap-3">
          <Button
            ref={end}
            variant="primary"
            className="h-14 text-xl"
            disabled={!hydrated || firstOpen !== null}
            aria-busy={busy}
            onKeyDown={(event) => event.repeat && event.preventDefault()}
            onClick={() => void pack()}
          >
            {busy
              ? 'One moment…'
              : asks
                ? 'Save, and ask the buyer'
                : isLast
                  ? 'Pack'
                  : 'Pack, then the next'}
          </Button>
          {!isLast && (
            <Button variant="outline" className="h-14" disabled={!hydrated} onClick={onSkip}>
              Skip
            </Button>
          )}
        </div>
      </div>
    </article>
  )
}

const Head = ({ order }: { order: ManagedOrder }) => (
  <header className="grid gap-2">
    <h2 className="flex flex-wrap items-baseline gap-x-4 text-2xl tabular-nums sm:text-3xl">
      <Link to={managedOrderPath(order._id)} className="hover:text-teal">
        {order.number}
      </Link>
      <span className="text-xl wrap-anywhere sm:text-2xl">{buyerName(order.contact)}</span>
    </h2>
    {order.note && (
      <p className="max-w-prose rounded-md bg-warn-ice px-4 py-2 text-xl whitespace-pre-line wrap-anywhere">
        {order.note}
      </p>
    )}
  </header>
)

type HeldProps = { order: ManagedOrder; why: string | null; isLast: boolean; onSkip: () => void }

/** An order that can't be packed here and now: why, where it is decided, and on to the next. */
function Held({ order, why, isLast, onSkip }: HeldProps) {
  const next = useRef<HTMLButtonElement>(null)
  useEffect(() => next.current?.focus(), [])
  return (
    <article aria-label={`Order ${order.number}`} className="grid gap-5">
      <Head order={order} />
      <Alert tone="warn">
        {order.status !== 'PLACED' ? (
          <p>It is {stateLabels[order.status]} already.</p>
        ) : (
          <p>
            {why ??
              'The buyer was asked to accept the new total. It can be packed once that is done, or weighed less.'}
          </p>
        )}
      </Alert>
      <div className="flex flex-wrap gap-3">
        {!isLast && (
          <Button ref={next} className="h-14 text-xl" onClick={onSkip}>
            Next order
          </Button>
        )}
        <ButtonLink variant="outline" className="h-14" to={managedOrderPath(order._id)}>
          Open the order
        </ButtonLink>
      </div>
    </article>
  )
}

type LineButtonProps = {
  line: OrderLine
  typed: TypedLine
  isDone: boolean
  isNow: boolean
  onChoose: () => void
}

function LineButton({ line, typed, isDone, isNow, onChoose }: LineButtonProps) {
  const grams = typedGrams(typed.grams)
  return (
    <button
      type="button"
      aria-current={isNow ? 'step' : undefined}
      onClick={onChoose}
      className="grid w-full rounded-md border border-line bg-surface px-3 py-2 text-left hover:border-teal aria-[current=step]:border-teal aria-[current=step]:bg-ice"
    >
      <span className="font-semibold wrap-anywhere">
        {isDone && <span className="text-good">✓ </span>}
        {lineTitle(line)}
      </span>
      <span className="muted tabular-nums">
        {quantityText(line)}
        {isDone && grams !== null && `: ${gramsText(grams)}`}
        {isDone && typed.boxes.length > 0 && `, from ${typed.boxes.map(({ boxID }) => boxID).join(', ')}`}
      </span>
    </button>
  )
}
