import { urlOf } from '@befaqt/domain/api/endpoint'
import { readEpcis, readLabel } from '@befaqt/domain/api/endpoints/box-page'
import { Suspense, useRef } from 'react'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { useNear } from '#web/components/use-near.ts'
import { Panel } from './panel.tsx'

const Lacking = lazyPart(() => import('./trade-lacking.tsx'))

/** The box in the languages of the trade, and what they ask for that no record says. The latter is fetched when one comes near. */
export function TradePanel({ boxID }: { boxID: string }) {
  const place = useRef<HTMLDivElement>(null)
  const near = useNear(place)
  const params = { boxID }
  const loading = <Spinner label="Checking what is recorded" />
  return (
    <Panel className="no-print" title="For the trade">
      <ul className="grid gap-x-6 sm:flex sm:flex-wrap">
        <li>
          <a
            href={urlOf(readEpcis, { params })}
            download={`box-${boxID}.epcis.jsonld`}
            className="link tap font-semibold"
          >
            EPCIS 2.0 with GDST (JSON-LD)
          </a>
        </li>
        <li>
          <a
            href={urlOf(readLabel, { params })}
            download={`box-${boxID}.label.svg`}
            className="link tap font-semibold"
          >
            Label (SVG)
          </a>
        </li>
      </ul>
      <div ref={place} className="mt-2 min-h-24 noscript:hidden">
        {near && (
          <Suspense fallback={loading}>
            <Lacking boxID={boxID} loading={loading} />
          </Suspense>
        )}
      </div>
    </Panel>
  )
}
