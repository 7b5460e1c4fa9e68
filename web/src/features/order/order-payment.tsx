import { checkPayment, startPayment } from '@befaqt/domain/api/endpoints/order-page'
import { momentText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import { mayPayByCard, paymentText } from '@befaqt/domain/payment'
import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { useMarketZone } from '#web/time/time.tsx'
import { type ActionProps, callInput } from './order-calls.ts'

/** How an order by card is paid, in words; above the order what the buyer can do about it. Fetched when there is a card. */
export default function OrderPayment({ at, ...props }: ActionProps & { at: 'top' | 'fact' }) {
  const { status, totals, payment } = props.order
  if (payment === null) return null
  if (at === 'fact') return paymentText(status, totals.total, payment)
  return <PaymentAlert {...props} payment={payment} />
}

type Props = ActionProps & { payment: NonNullable<ActionProps['order']['payment']> }

function PaymentAlert({ payment, ...props }: Props) {
  const { order } = props
  const [params] = useSearchParams()
  const { busy, failure, run } = useRevalidatingCall()
  const hydrated = useHydrated()
  const isBack = params.get('card') === 'paid'
  const isOpen = payment.state === 'OPEN'
  const check = () => run(() => callApi(checkPayment, callInput(props)))
  const checkOnce = useEffectEvent(() => void check())
  useEffect(() => {
    if (isBack && isOpen) checkOnce()
  }, [isBack, isOpen])

  if (payment.state === 'AUTHORIZED' && isBack && order.status === 'PLACED')
    return <Held {...props} payment={payment} />
  if (!mayPayByCard(order.status, payment)) return null
  const pay = async () => {
    const { url } = await callApi(startPayment, callInput(props))
    location.assign(url)
  }
  return (
    <Alert tone="warn" className="no-print mb-8">
      <OpenText {...props} payment={payment} asked={isBack && busy} />
      <div className="my-2 flex flex-wrap gap-3">
        <Button variant="primary" disabled={!hydrated} aria-busy={busy} onClick={() => void run(pay)}>
          {busy ? 'One moment…' : isOpen ? 'Pay by card' : 'Pay by card again'}
        </Button>
        {isOpen && isBack && (
          <Button variant="outline" aria-disabled={busy} onClick={() => void check()}>
            Check again
          </Button>
        )}
      </div>
      {failure !== null && <p className="font-semibold text-bad">Error: {userMessage(failure)}</p>}
    </Alert>
  )
}

function OpenText({ payment, asked }: Props & { asked: boolean }) {
  const zone = useMarketZone()
  if (payment.state !== 'OPEN')
    return (
      <>
        <p className="font-semibold">Your card was not charged.</p>
        <p>Your order stands: you pay when you get it, or by card again.</p>
      </>
    )
  return (
    <>
      <p className="font-semibold">
        {asked ? 'Asking whether your payment has arrived…' : 'This order is not paid yet.'}
      </p>
      <p>
        It is kept for you until {momentText(payment.until, zone)}, and cancelled if it is not paid by then.
        Up to {formatDollars(cents(payment.amount))} is held on your card; the exact total is charged when it
        is packed.
      </p>
    </>
  )
}

/** Said to whoever comes from paying. */
const Held = ({ order, payment }: Props) => (
  <Alert tone="good" className="no-print mb-8">
    <p className="font-semibold">Thank you. Your order is placed.</p>
    <p className="wrap-anywhere">
      Up to {formatDollars(cents(payment.amount))} is held on your card; the exact total is charged when it is
      packed.
      {order.contact && ` An email with the order goes to ${order.contact.email}.`}
    </p>
  </Alert>
)
