import { acceptTotal, confirmOrder } from '@befaqt/domain/api/endpoints/order-page'
import { cents, formatDollars } from '@befaqt/domain/money'
import { mayDo } from '@befaqt/domain/order-states'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useViewer } from '#web/root-data.ts'
import { type ActionProps, callInput } from './order-calls.ts'

/** It was weighed above what was agreed to: nothing is packed until the buyer has said yes, or cancels. Fetched when it is asked. */
export function AskTotal(props: ActionProps) {
  const { totals, agreed, most, asksBuyer, status } = props.order
  const { busy, failure, run } = useRevalidatingCall()
  const hydrated = useHydrated()
  const asks = asksBuyer && mayDo(status, 'accept the total')
  if (!asks && failure === null) return null
  const total = formatDollars(cents(totals.total))
  const accept = () => callApi(acceptTotal, { ...callInput(props), body: { total: totals.total } })
  return (
    <Alert tone="warn" className="mb-8">
      {asks && (
        <>
          <p className="font-semibold">It weighs more than you ordered. Do you agree to {total}?</p>
          <p>
            You agreed to {formatDollars(cents(agreed))}, and we may charge up to {formatDollars(cents(most))}{' '}
            without asking. We pack it when you accept; otherwise you can cancel it.
          </p>
          <Button
            variant="primary"
            className="my-2"
            disabled={!hydrated}
            aria-busy={busy}
            onClick={() => void run(accept)}
          >
            {busy ? 'One moment…' : `Accept ${total}`}
          </Button>
        </>
      )}
      {failure !== null && <p className="font-semibold text-bad">Error: {userMessage(failure)}</p>}
    </Alert>
  )
}

/** Asks whoever opened the link of an order's email whether it was them: a program that opens it confirms nothing. */
export function ConfirmOrder({ confirm, ...props }: ActionProps & { confirm: string }) {
  const { busy, failure, run } = useRevalidatingCall()
  const hydrated = useHydrated()
  const send = () => callApi(confirmOrder, { ...callInput(props), body: { confirm } })
  return (
    <Alert tone="warn" className="no-print mb-8">
      <p className="font-semibold">Is this order yours?</p>
      <p>It stands either way. Once you confirm it, you may order more right away.</p>
      <Button
        variant="primary"
        className="my-2"
        disabled={!hydrated}
        aria-busy={busy}
        onClick={() => void run(send)}
      >
        {busy ? 'One moment…' : 'Yes, it is mine'}
      </Button>
      {failure !== null && <p className="font-semibold text-bad">Error: {userMessage(failure)}</p>}
    </Alert>
  )
}

/** Said once, right after the order was placed. */
export function OrderThanks({ order, linkKey }: ActionProps) {
  const viewer = useViewer()
  return (
    <Alert tone="good" className="no-print mb-8">
      <p className="font-semibold">Thank you. Your order is placed.</p>
      <p className="wrap-anywhere">
        {order.contact && `An email with it goes to ${order.contact.email}. `}
        {linkKey !== null && !viewer && 'The link in it leads here: anyone with it can see this order.'}
      </p>
    </Alert>
  )
}
