import type { BoxPageView } from '@befaqt/domain/api/box-api'
import type { Site } from '@befaqt/domain/api/site-api'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { BoxHead } from './box-head.tsx'
import { CatchPanel } from './catch-panel.tsx'
import { CheckPanel } from './check-panel.tsx'
import type { CheckState } from './check-state.ts'
import { ColdChainPanel } from './cold-chain-panel.tsx'
import { EyePanel } from './eye-panel.tsx'
import { FisherPanel } from './fisher-panel.tsx'
import { FreshnessPanel } from './freshness-panel.tsx'
import { Journey } from './journey.tsx'
import type { MapSketch } from './map-sketch.ts'
import { MarkedReadingProvider } from './marked-reading.tsx'
import { NosePanel } from './nose-panel.tsx'
import { shownReadings } from './readings.ts'
import { RecordTable } from './record-table.tsx'
import { SensorPanel } from './sensor-panel.tsx'
import { TimeLeftPanel } from './time-left-panel.tsx'
import { useCheck } from './use-check.ts'
import { marketOffset } from './when.tsx'

type Props = { view: BoxPageView; sketch: MapSketch | null; site: Site }

/** What the browser found about this very box. */
const resultFor = (boxID: string, shop: CheckState) =>
  shop.phase === 'done' && shop.result.box === boxID ? shop.result : null

function Products({ products }: Pick<BoxPageView, 'products'>) {
  if (products.length === 0) return null
  return (
    <p className="mt-4">
      On sale from this box:{' '}
      {products.map(({ _id, title }, i) => (
        <span key={_id}>
          {i > 0 && ', '}
          <Link to={`/product/${encodeURIComponent(_id)}`} className="link font-semibold">
            {title}
          </Link>
        </span>
      ))}
    </p>
  )
}

/** One box from catch to assessment: the head, the journey, the panels of spec §2 in their order, the proof. */
export function BoxPage({ view, sketch, site }: Props) {
  const { box, figures, addresses } = view
  const zone = site.market.timeZone
  const page = useMemo(
    () => ({ box, hashes: view.records.map(({ recordHash }) => recordHash) }),
    [box, view.records],
  )
  const check = useCheck(page, site.chain.contract)
  const readings = useMemo(() => shownReadings(box, zone), [box, zone])
  const offsetAt = useMemo(() => marketOffset(zone), [zone])
  return (
    <MarkedReadingProvider>
      <div className="wrap grid py-6 md:py-10">
        <BoxHead view={view} check={check.shop} />
        <Products products={view.products} />
        <div className="mt-10 grid">
          <Journey readings={readings} sketch={sketch} map={site.map} offsetAt={offsetAt} />
          <div className="grid gap-x-12 lg:grid-cols-2">
            <FisherPanel fisher={box.fisher} sample={view.sample} />
            <FreshnessPanel box={box} figures={figures} addresses={addresses} />
            <TimeLeftPanel figures={figures} />
            {figures.coldChain && <ColdChainPanel coldChain={figures.coldChain} />}
          </div>
          {box.catchProv && <CatchPanel catchProv={box.catchProv} />}
          {box.iotResult && (
            <SensorPanel
              iotResult={box.iotResult}
              readings={readings}
              addresses={addresses}
              offsetAt={offsetAt}
            />
          )}
          <EyePanel results={box.imageProc} addresses={addresses} />
          <NosePanel results={box.e_nose} addresses={addresses} />
          <RecordTable records={view.records} result={resultFor(box.boxID, check.shop)} />
          <CheckPanel boxID={box.boxID} chain={site.chain} check={check} />
        </div>
      </div>
    </MarkedReadingProvider>
  )
}
