import { settlePayment } from '@befaqt/domain/api/endpoints/payments'
import type { ManagedOrder } from '@befaqt/domain/api/order-api'
import { callApi } from '#web/api/call-api.ts'
import { useCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { FailureBanner } from '../form-parts.tsx'

/** What the provider of the card payment did not do, and trying it again. */
export function PaymentProblem({ order, onDone }: { order: ManagedOrder; onDone: () => void }) {
  const { busy, failure, run } = useCall()
  const hydrated = useHydrated()
  if (order.paymentProblem === null) return null
  const again = async () => {
    await callApi(settlePayment, { params: { id: order._id } })
    onDone()
  }
  return (
    <Alert tone="warn">
      <p className="font-semibold">The card payment needs attention.</p>
      <p className="wrap-anywhere">{order.paymentProblem}</p>
      {order.paymentReference && (
        <p className="text-sm wrap-anywhere">At Stripe it is {order.paymentReference}.</p>
      )}
      {failure !== null && <FailureBanner error={failure} />}
      <Button
        variant="outline"
        className="my-2"
        disabled={!hydrated}
        aria-busy={busy}
        onClick={() => void run(again)}
      >
        {busy ? 'Trying…' : 'Try again now'}
      </Button>
    </Alert>
  )
}
