import { Suspense, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'
import { useRevalidatingCall } from '#web/api/use-call.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import type { ActionProps } from './order-input.ts'

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
