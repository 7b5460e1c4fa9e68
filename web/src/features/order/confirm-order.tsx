import { confirmOrder } from '@befaqt/domain/api/endpoints/orders'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { type ActionProps, callInput } from './order-input.ts'

/** Asks whoever opened the link of an order's email whether it was them: a program that opens it confirms nothing. */
export default function ConfirmOrder({ confirm, ...props }: ActionProps & { confirm: string }) {
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
