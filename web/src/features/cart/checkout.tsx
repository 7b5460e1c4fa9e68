import { useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { useSignInPath } from '#web/features/account/use-next.ts'
import { useViewer } from '#web/root-data.ts'

/** The way to an order. The button goes when it is pressed; what follows is said as it is. Source: spec §2, §4. */
export function Checkout() {
  const viewer = useViewer()
  const signIn = useSignInPath()
  const [pressed, setPressed] = useState(false)
  const press = () => setPressed(true)
  if (pressed)
    return (
      <Alert tone="info">
        Ordering online opens soon. Nothing was ordered and nothing is charged; your cart stays as it is.
      </Alert>
    )
  if (viewer)
    return (
      <Button look="main" onClick={press} className="min-h-12 w-full">
        Checkout
      </Button>
    )
  return (
    <div className="grid gap-3">
      <ButtonLink to={signIn} look="main" className="min-h-12">
        Login to buy
      </ButtonLink>
      <Button look="quiet" onClick={press} className="min-h-12">
        Checkout as a Guest
      </Button>
    </div>
  )
}
