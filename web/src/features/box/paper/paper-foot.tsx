import { urlOf } from '@befaqt/domain/api/endpoint'
import { readLabel } from '@befaqt/domain/api/endpoints/box-labels'
import { momentText } from '@befaqt/domain/moment-text'
import { boxPath } from '@befaqt/domain/page-paths'
import { useNow } from '#web/time/now.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { zoneName } from '#web/time/zone-name.ts'

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
