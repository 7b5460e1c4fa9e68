import { Alert } from '#web/components/alert.tsx'
import { useViewer } from '#web/root-data.ts'
import type { ActionProps } from './order-input.ts'

/** Said once, right after the order was placed. */
export default function OrderThanks({ order, linkKey }: ActionProps) {
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
