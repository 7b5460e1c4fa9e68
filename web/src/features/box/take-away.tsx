import { urlOf } from '@befaqt/domain/api/endpoint'
import { readLabel } from '@befaqt/domain/api/endpoints/box-page'
import { momentText } from '@befaqt/domain/moment-text'
import { boxPath } from '@befaqt/domain/page-paths'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { sharePage } from '#web/components/share-page.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { useNow } from '#web/time/today.ts'
import { zoneName } from '#web/time/zone-name.ts'

/** What a visitor can take along: the link, and the box on one page of paper. */
export function TakeAway({ title }: { title: string }) {
  const [told, setTold] = useState('')
  const waiting = !useHydrated()
  return (
    <div className="no-print mt-4 flex flex-wrap items-center gap-3 noscript:hidden">
      <Button variant="outline" disabled={waiting} onClick={() => void sharePage(title).then(setTold)}>
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

type Props = { boxID: string; publicUrl: string; asOf: string }

/** On paper only: the code that leads back to the page, and when this was as it says. */
export function PaperFoot({ boxID, publicUrl, asOf }: Props) {
  const zone = useMarketZone()
  const now = momentText(new Date(useNow(asOf)).toISOString(), zone)
  return (
    <div className="paper-only mt-4 items-center gap-6 border-line border-t pt-4">
      <img
        src={urlOf(readLabel, { params: { boxID } })}
        alt={`Code of box ${boxID}`}
        width="228"
        height="114"
        loading="lazy"
      />
      <p className="text-sm">
        As of {now}, {zoneName(zone)}. The code leads to this page: {publicUrl}
        {boxPath(boxID)}
      </p>
    </div>
  )
}
