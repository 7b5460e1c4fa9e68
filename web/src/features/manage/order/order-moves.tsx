import { moveOrder } from '@befaqt/domain/api/endpoints/managed-orders'
import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { formatDollars } from '@befaqt/domain/money'
import { type OrderState, orderMove } from '@befaqt/domain/order-states'
import { unpaidByCard } from '@befaqt/domain/payment'
import { useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckboxField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { Confirm } from '../form-parts.tsx'
import { ReasonField, reasonOf } from './order-parts.tsx'

type Asked = { button: string; title: string; text: string }

/** What each move is called, and what follows it: none can be taken back. */
const asked: Readonly<Record<Exclude<OrderState, 'PLACED'>, Asked>> = {
  PACKED: {
    button: 'Pack',
    title: 'Everything is packed?',
    text: 'Weights and boxes are final then: each box gets a record of what was sold, and the order its invoice number. A buyer whose total changed gets an email.',
  },
  READY: {
    button: 'Ready for pick-up',
    title: 'Ready for pick-up?',
    text: 'The buyer gets an email that it is ready.',
  },
  SENT: {
    button: 'Send',
    title: 'It leaves the shop?',
    text: 'The buyer gets an email that it is on its way. It can’t be cancelled any more.',
  },
  COMPLETED: {
    button: 'Hand out',
    title: 'The buyer has it?',
    text: 'That ends the order.',
  },
  CANCELLED: {
    button: 'Cancel order',
    title: 'Cancel this order?',
    text: 'Stock and slot are free again, and what came from boxes goes back to them; what came from a recalled box is a loss and is not sold again. What is held on a card is released, and what was charged is refunded. The buyer gets an email with the reason.',
  },
}

type Props = {
  order: ManagedOrder
  /** Why it can't be packed yet; null: it can. */
  notPacked: string | null
  onMoved: (state: OrderState) => void
}

/** The moves that an order may make, each asked about. */
export function OrderMoves({ order, notPacked, onMoved }: Props) {
  const hydrated = useHydrated()
  const [to, setTo] = useState<Exclude<OrderState, 'PLACED'> | null>(null)
  const stopped = order.toDecide.filter(({ why }) => why !== 'short')
  const held = order.status !== 'PLACED' && stopped.length > 0
  const moves = order.moves
    .filter((state) => state !== 'PLACED')
    .filter((state) => !held || state === 'CANCELLED')
  if (moves.length === 0) return null
  return (
    <>
      {held && (
        <p className="basis-full font-semibold text-bad">
          Cannot leave: {stopped.some(({ why }) => why === 'recalled') ? 'recalled' : 'off sale'}. Replace it
          from another box above, or cancel the order.
        </p>
      )}
      {moves.map((state) => {
        const isOff = state === 'PACKED' && notPacked !== null
        return (
          <Button
            key={state}
            variant={state === 'CANCELLED' ? 'outline' : 'secondary'}
            disabled={!hydrated || isOff}
            aria-describedby={isOff ? 'not-packed' : undefined}
            onClick={() => setTo(state)}
          >
            {state === 'COMPLETED' && order.kind === 'delivery' ? 'Delivered' : asked[state].button}
          </Button>
        )
      })}
      <Dialog open={to !== null} title={to ? asked[to].title : ''} onClose={() => setTo(null)}>
        {to && (
          <Asking
            order={order}
            to={to}
            onClose={() => setTo(null)}
            onMoved={() => {
              setTo(null)
              onMoved(to)
            }}
          />
        )}
      </Dialog>
      {notPacked !== null && (
        <p id="not-packed" className="basis-full muted">
          {notPacked}
        </p>
      )}
    </>
  )
}

type AskingProps = {
  order: ManagedOrder
  to: Exclude<OrderState, 'PLACED'>
  onClose: () => void
  onMoved: () => void
}

function Asking({ order, to, onClose, onMoved }: AskingProps) {
  const [missing, setMissing] = useState(false)
  const isCancel = to === 'CANCELLED'
  const asksIfPaid = orderMove(order.status, to)?.needs?.includes('paid') ?? false
  const unpaid = asksIfPaid ? unpaidByCard(order.totals.total, order.payment) : null
  const move = async (entered: FormData) => {
    const reason = reasonOf(entered)
    const isMissing = unpaid === null ? isCancel && reason === '' : entered.get('paid') === null
    setMissing(isMissing)
    if (isMissing) return
    const { _id: id, version } = order
    await callApi(moveOrder, {
      params: { id },
      body: { status: to, reason, ...(unpaid !== null && { paid: 'otherwise' }) },
      version,
    })
    onMoved()
  }
  return (
    <Confirm
      action={asked[to].button}
      cancel={isCancel ? 'Keep the order' : 'Not yet'}
      onConfirm={move}
      onClose={onClose}
    >
      <p>{asked[to].text}</p>
      {unpaid !== null && (
        <>
          <Alert tone="warn">
            <p className="font-semibold">{formatDollars(unpaid)} is not paid.</p>
            <p>It was to be paid by card, and nothing was charged.</p>
          </Alert>
          <CheckboxField
            label={`The buyer paid ${formatDollars(unpaid)} otherwise, in cash for example`}
            name="paid"
            aria-describedby={missing ? 'not-paid' : undefined}
            aria-invalid={missing}
          />
          {missing && (
            <p id="not-paid" role="alert" className="text-bad text-sm">
              Say that it is paid, or keep the order until it is.
            </p>
          )}
        </>
      )}
      {isCancel && <ReasonField isMissing={missing} />}
    </Confirm>
  )
}

/** Why an order can't be packed whatever is weighed; null: nothing of the kind. */
export function mustWaitText(order: ManagedOrder): string | null {
  if (order.payment?.state === 'OPEN')
    return 'It can be packed once it is paid by card. If that does not happen in time, it is cancelled.'
  if (order.toDecide.length > 0) return 'It can be packed once it is decided about every line above.'
  return null
}

/** Why an order can't be packed yet; null: it can. */
export function notPackedText(order: ManagedOrder, isDirty: boolean): string | null {
  if (!order.moves.includes('PACKED')) return null
  if (isDirty) return 'Save weights and boxes first.'
  const waits = mustWaitText(order)
  if (waits !== null) return waits
  if (unweighed(order)) return 'It can be packed once every line that is sold by weight is weighed.'
  if (unnamed(order))
    return 'It can be packed once every line says which box it is from, or why it is from none.'
  return order.asksBuyer ? 'It can be packed once the buyer has accepted the new total.' : null
}

/** Is a line not weighed yet that is sold by weight? */
const unweighed = ({ lines }: ManagedOrder): boolean =>
  lines.some(
    ({ orderedGrams, finalGrams, leftOut }) =>
      orderedGrams !== null && finalGrams === null && leftOut === null,
  )

/** Lines that name neither a box nor why they are from none. */
const unnamed = ({ lines, boxed, noBox }: ManagedOrder): boolean =>
  lines.some(
    ({ position, boxes, leftOut }) =>
      leftOut === null &&
      boxes.length === 0 &&
      boxed.includes(position) &&
      !noBox.some((one) => one.position === position),
  )
