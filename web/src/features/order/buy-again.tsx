import type { OrderView } from '@befaqt/domain/api/order-api'
import { Suspense, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { lazyPart } from '#web/components/lazy-part.tsx'
import type { Outcome } from './buy-again-outcome.tsx'

const BuyAgainOutcome = lazyPart(() => import('./buy-again-outcome.tsx'))

/** Puts the same into the cart, at today's prices, and says what is missing. */
export function BuyAgain({ lines }: Pick<OrderView, 'lines'>) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const hydrated = useHydrated()
  const buy = async () => {
    if (busy) return
    setBusy(true)
    try {
      const { fillCart } = await import('./fill-cart.ts')
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
