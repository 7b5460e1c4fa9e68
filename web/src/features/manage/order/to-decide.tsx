import { amountIn, compare } from '@befaqt/domain/amount'
import { leaveOut, packOrder } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Confirm, FailureBanner } from '../form-parts.tsx'
import { amountText, lineTitle, ReasonField, reasonOf, undecidedTexts } from './order-parts.tsx'
import { boxesOf, type OrderLine, packedAmount, typedOf } from './packing/packing.ts'

type Props = { order: ManagedOrder; onDone: (message: string) => void }

/** The lines about which somebody has to decide since a box was recalled or taken off sale, and what can be done. */
export function ToDecide({ order, onDone }: Props) {
  const [leaving, setLeaving] = useState<OrderLine | null>(null)
  const hydrated = useHydrated()
  if (order.toDecide.length === 0) return null
  const isPlaced = order.status === 'PLACED'
  const mayLeave = isPlaced && order.lines.filter(({ leftOut }) => leftOut === null).length > 1
  return (
    <Alert tone={order.toDecide.some(({ why }) => why === 'recalled') ? 'bad' : 'warn'}>
      <p className="font-semibold">To decide before this order leaves the shop</p>
      <ul className="mt-2 grid gap-2">
        {order.toDecide.map(({ position, why }) => {
          const line = order.lines.find((one) => one.position === position)
          if (line === undefined) return null
          return (
            <li key={position} className="flex flex-wrap items-center gap-3 text-ink">
              {lineTitle(line)}: {undecidedTexts[why]}
              {mayLeave && (
                <Button
                  variant="outline"
                  className="px-3"
                  disabled={!hydrated}
                  onClick={() => setLeaving(line)}
                >
                  Leave out<span className="sr-only"> {lineTitle(line)}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <p className="mt-2 text-ink">
        {isPlaced
          ? 'Pack it from another box below, leave it out, or cancel the order.'
          : 'Replace it from another box, or cancel the order.'}
      </p>
      <Dialog
        open={leaving !== null}
        title={leaving ? `Leave out ${lineTitle(leaving)}?` : ''}
        onClose={() => setLeaving(null)}
      >
        {leaving && (
          <LeaveOut
            order={order}
            line={leaving}
            onClose={() => setLeaving(null)}
            onDone={() => {
              setLeaving(null)
              onDone(`${lineTitle(leaving)} is left out.`)
            }}
          />
        )}
      </Dialog>
    </Alert>
  )
}

type LeaveOutProps = { order: ManagedOrder; line: OrderLine; onClose: () => void; onDone: () => void }

function LeaveOut({ order, line, onClose, onDone }: LeaveOutProps) {
  const [missing, setMissing] = useState(false)
  const send = async (entered: FormData) => {
    const reason = reasonOf(entered)
    setMissing(reason === '')
    if (reason === '') return
    const body = { position: line.position, reason }
    await callApi(leaveOut, { params: { id: order._id }, body, version: order.version })
    onDone()
  }
  return (
    <Confirm action="Leave out" cancel="Keep it" onConfirm={send} onClose={onClose}>
      <p>The buyer pays nothing for it and gets one email with the reason. It can’t be put back.</p>
      <ReasonField isMissing={missing} />
    </Confirm>
  )
}

const amountOfLine = (line: OrderLine) => packedAmount(line, typedOf(line)) ?? amountIn(line.unit, 0)

/** Replaces what a packed order has from a stopped box by as much from another. */
export function ReplaceBoxes({ order, onDone }: { order: ManagedOrder; onDone: () => void }) {
  const { busy, failure, run } = useCall()
  const hydrated = useHydrated()
  const replace = (line: OrderLine, boxID: string) => {
    const packed = {
      position: line.position,
      ...(line.finalGrams !== null && { grams: line.finalGrams }),
      boxes: [{ boxID, amount: amountOfLine(line).value }],
    }
    void run(async () => {
      const body = { lines: [packed] }
      await callApi(packOrder, { params: { id: order._id }, body, version: order.version })
      onDone()
    })
  }
  return (
    <section aria-label="Replace" className="grid gap-4">
      {failure !== null && <FailureBanner error={failure} />}
      {order.lines
        .filter(({ position }) => order.toDecide.some((one) => one.position === position))
        .map((line) => {
          const amount = amountOfLine(line)
          const enough = boxesOf(line, order.boxes).filter(({ left }) => compare(left, amount) >= 0)
          return (
            <div key={line.position} className="grid gap-2">
              <p>
                Replace {amountText(amount, line.unit)} of {lineTitle(line)}:
                {enough.length === 0 && ' no other box has as much left.'}
              </p>
              <div className="flex flex-wrap gap-2">
                {enough.map(({ boxID, left }) => (
                  <Button
                    key={boxID}
                    variant="outline"
                    className="px-3"
                    disabled={!hydrated || busy}
                    onClick={() => replace(line, boxID)}
                  >
                    From box {boxID}
                    <span className="font-normal text-slate tabular-nums">
                      {amountText(left, line.unit)} left
                    </span>
                  </Button>
                ))}
              </div>
            </div>
          )
        })}
    </section>
  )
}
