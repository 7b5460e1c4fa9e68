import type { OrderView } from '@befaqt/domain/api/order-api'
import { useState } from 'react'
import { Link } from 'react-router'
import { userMessage } from '#web/api/hydration.ts'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'

type Outcome = { missed: readonly string[] } | { failure: string }

function Told({ outcome }: { outcome: Outcome }) {
  if ('failure' in outcome) return <Alert tone="bad">Error: {outcome.failure}</Alert>
  const { missed } = outcome
  return (
    <Alert tone={missed.length > 0 ? 'warn' : 'good'}>
      <p>{missed.length > 0 ? 'In your cart is what we have of it:' : 'All of it is in your cart.'}</p>
      <ul>
        {missed.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <Link to="/cart" className="inline-flex min-h-11 items-center font-semibold underline">
        Go to Cart
      </Link>
    </Alert>
  )
}

/** Puts the same into the cart, at today's prices, and says what of it there is not. */
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
      <div className="basis-full empty:hidden">{outcome && <Told outcome={outcome} />}</div>
    </>
  )
}
