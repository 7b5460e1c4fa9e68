import type { OrderView } from '@befaqt/domain/api/order-api'
import { Suspense, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import type { Outcome } from './bought-again.tsx'
import type { ActionProps } from './order-calls.ts'

const BuyAgainOutcome = lazyPart(() => import('./bought-again.tsx'))

/** Puts the same into the cart, at today's prices, and says what is missing. */
export function BuyAgain({ lines }: Pick<OrderView, 'lines'>) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const hydrated = useHydrated()
  const buy = async () => {
    if (busy) return
    setBusy(true)
    try {
      const { fillCart } = await import('./bought-again.tsx')
      setOutcome({ missed: await fillCart(lines) })
    } catch (error) {
      setOutcome({ failure: userMessage(error) })
    }
    setBusy(false)
  }
  return (
    <>
      <Button disabled={!hydrated} aria-busy={busy} onClick={() => void buy()}>
        Buy again
      </Button>
      <div className="basis-full empty:hidden">
        {outcome && (
          <Suspense>
            <BuyAgainOutcome outcome={outcome} />
          </Suspense>
        )}
      </div>
    </>
  )
}

const CancelDialog = lazyPart(() => import('./cancel-dialog.tsx'))

/** Cancels an order that is not packed yet, after asking. */
export function CancelOrder(props: ActionProps) {
  const [asking, setAsking] = useState(false)
  const { busy, failure, run } = useRevalidatingCall()
  const hydrated = useHydrated()
  return (
    <>
      {props.order.moves.includes('CANCELLED') && (
        <Button variant="outline" disabled={!hydrated} onClick={() => setAsking(true)}>
          Cancel order
        </Button>
      )}
      {failure !== null && (
        <Alert tone="bad" className="basis-full">
          Error: {userMessage(failure)}
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
