import { useRevalidator } from 'react-router'
import { Alert } from './alert.tsx'
import { Button } from './button.tsx'
import { useHydrated } from './hydration.tsx'
import { Spinner } from './spinner.tsx'

/** Why a part of the page can't be shown, with another try; a spinner while that is under way. Source: spec §4, §8. */
export function LoadFailure({ what, message }: { what: string; message: string }) {
  const { revalidate, state } = useRevalidator()
  const hydrated = useHydrated()
  if (state === 'loading') return <Spinner label={`Loading ${what}`} />
  return (
    <div className="grid justify-items-start gap-4">
      <Alert tone="bad">Error: {message}</Alert>
      <Button disabled={!hydrated} onClick={() => void revalidate()}>
        Try again
      </Button>
    </div>
  )
}
