import { useRevalidator } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/features/account/use-hydrated.ts'
import { ErrorBanner } from './error-banner.tsx'

/** Stands in a list's place when it could not be read. */
export function ReadFailure({ message }: { message: string }) {
  const { revalidate, state } = useRevalidator()
  const hydrated = useHydrated()
  const busy = state === 'loading'
  return (
    <ErrorBanner message={message}>
      <Button
        look="quiet"
        className="mt-3"
        disabled={!hydrated}
        aria-disabled={busy}
        onClick={() => void revalidate()}
      >
        {busy ? 'Trying…' : 'Try again'}
      </Button>
    </ErrorBanner>
  )
}
