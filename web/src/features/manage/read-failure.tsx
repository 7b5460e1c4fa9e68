import { useRevalidator } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from './error-banner.tsx'

/** Stands in a list's place when it could not be read. */
export function ReadFailure({ message }: { message: string }) {
  const { revalidate, state } = useRevalidator()
  const busy = state === 'loading'
  return (
    <ErrorBanner message={message}>
      <Button look="quiet" className="mt-3" aria-disabled={busy} onClick={() => void revalidate()}>
        {busy ? 'Trying…' : 'Try again'}
      </Button>
    </ErrorBanner>
  )
}
