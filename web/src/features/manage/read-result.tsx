import { type ReactNode, useState } from 'react'
import { useRevalidator } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { ErrorBanner } from './form-parts.tsx'
import type { Read } from './read.ts'

type Props<Data> = { found: Read<Data>; children: (data: Data) => ReactNode }

/**
 * What a page has read. When reading it again fails, what was read before stays, with all that is typed there, under
 * a banner that says so.
 */
export function ReadResult<Data>({ found, children }: Props<Data>) {
  const [lastGood, setLastGood] = useState(found.data)
  if (found.data !== null && found.data !== lastGood) setLastGood(found.data)
  const data = found.data ?? lastGood
  return (
    <>
      {found.failure !== null && <ReadFailure message={found.failure} isOld={data !== null} />}
      {data !== null && children(data)}
    </>
  )
}

function ReadFailure({ message, isOld }: { message: string; isOld: boolean }) {
  const { revalidate, state } = useRevalidator()
  const hydrated = useHydrated()
  const busy = state === 'loading'
  return (
    <ErrorBanner message={message}>
      {isOld && <p>What is shown may be out of date.</p>}
      <Button
        variant="outline"
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
