import { acceptTotal } from '@befaqt/domain/api/endpoints/orders'
import { cents, formatDollars } from '@befaqt/domain/money'
import { Suspense, useState } from 'react'
import { useRevalidator } from 'react-router'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { type ActionProps, callInput } from './order-input.ts'

const CancelDialog = lazyPart(() => import('./cancel-dialog.tsx'))

/** Runs one call about an order at a time. The order is read again either way: somebody else may have changed it. */
function useOrderCall() {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const run = async (call: () => Promise<unknown>): Promise<void> => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    await call().catch((error: unknown) => setFailure(userMessage(error)))
    await revalidate()
    setBusy(false)
  }
  return { busy, failure, run }
}

/** It was weighed above what was agreed to: nothing is packed until the buyer has said yes, or cancels. */
export function AskTotal(props: ActionProps) {
  const { totals, agreed, most, asksBuyer, status } = props.order
  const { busy, failure, run } = useOrderCall()
  const hydrated = useHydrated()
  const asks = asksBuyer && status === 'PLACED'
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
      {failure && <p className="font-semibold text-bad">Error: {failure}</p>}
    </Alert>
  )
}

/** Cancels an order that is not packed yet, after asking. */
export function CancelOrder(props: ActionProps) {
  const [asking, setAsking] = useState(false)
  const { busy, failure, run } = useOrderCall()
  const hydrated = useHydrated()
  return (
    <>
      {props.order.moves.includes('CANCELLED') && (
        <Button variant="outline" disabled={!hydrated} onClick={() => setAsking(true)}>
          Cancel order
        </Button>
      )}
      {failure && (
        <Alert tone="bad" className="basis-full">
          Error: {failure}
        </Alert>
      )}
      {asking && (
        <Suspense>
          <CancelDialog
            {...props}
            busy={busy}
            onCancel={(call) => void run(call).finally(() => setAsking(false))}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
