import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'

/** What a visitor can take along: the link, and the box on one page of paper. */
export function TakeAway({ title }: { title: string }) {
  const [told, setTold] = useState('')
  const waiting = !useHydrated()
  const tell = () =>
    import('./share.ts').then(({ share }) => share(title)).then(setTold, () => setTold('Try again.'))
  return (
    <div className="no-print mt-4 flex flex-wrap items-center gap-3 noscript:hidden">
      <Button variant="outline" disabled={waiting} onClick={() => void tell()}>
        Share
      </Button>
      <Button variant="outline" disabled={waiting} onClick={() => window.print()}>
        Print one page
      </Button>
      <p role="status" className="wrap-anywhere text-sm">
        {told}
      </p>
    </div>
  )
}
