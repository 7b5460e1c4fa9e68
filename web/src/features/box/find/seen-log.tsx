import { useEffect, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { formatTime, useMarketZone } from '#web/time/time.tsx'
import { forgetNote } from '../check/kept-log.ts'
import { holdSeenAgainstLog } from '../check/shop-log.ts'
import { LogFinding } from './check-receipt.tsx'

/** What this browser saw of the shop's log the last time: is it still in it? Nothing on a first visit, which is kept. */
export default function SeenLog() {
  const zone = useMarketZone()
  const [seen, setSeen] = useState<Awaited<ReturnType<typeof holdSeenAgainstLog>>>(null)
  useEffect(() => {
    let isGone = false
    void holdSeenAgainstLog().then((found) => isGone || setSeen(found))
    return () => {
      isGone = true
    }
  }, [])
  if (seen === null) return null
  const at = formatTime(seen.seenAt, zone)
  if ('result' in seen && seen.result.state === 'fits')
    return (
      <p className="mt-4 max-w-prose muted" role="status">
        This browser saw the log on {at}. All of it is still there.
      </p>
    )
  return (
    <div className="mt-4">
      <p className="mb-2">What this browser saw of the log on {at} is as good as a receipt:</p>
      <LogFinding held={seen} />
      <div className="mt-3">
        <Button variant="link" onClick={() => void forgetNote().then(() => setSeen(null))}>
          Forget what this browser saw
        </Button>
      </div>
    </div>
  )
}
