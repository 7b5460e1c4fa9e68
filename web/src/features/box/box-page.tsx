import type { BoxPageView } from '@befaqt/domain/api/box-api'
import type { Site } from '@befaqt/domain/api/site-api'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { Later } from '#web/components/later.tsx'
import { marketOffset } from '#web/time/time.tsx'
import { BoxHead } from './box-head.tsx'
import { CatchPanel } from './catch-panel.tsx'
import { CheckPanel } from './check-panel.tsx'
import { ColdChainPanel } from './cold-chain-panel.tsx'
import { EyePanel } from './eye-panel.tsx'
import { FisherPanel } from './fisher-panel.tsx'
import { FreshnessPanel } from './freshness-panel.tsx'
import { Journey } from './journey.tsx'
import { MarkedReadingProvider } from './marked-reading.tsx'
import { NosePanel } from './nose-panel.tsx'
import { PageCheckProvider } from './page-check.tsx'
import { shownReadings } from './readings.ts'
import { RecordTable } from './record-table.tsx'
import { SensorPanel } from './sensor-panel.tsx'
import { TimeLeftPanel } from './time-left-panel.tsx'

type Props = { view: BoxPageView; site: Site }

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

/** The journey, the panels of spec §2 in their order, the proof. */
function Panels({ view, site }: Props) {
  const { box, figures, addresses } = view
  const zone = site.market.timeZone
  const readings = useMemo(() => shownReadings(box, zone), [box, zone])
  const offsetAt = useMemo(() => marketOffset(zone), [zone])
  return (
    <div className="mt-10 grid">
      <Later>
        <Journey readings={readings} map={site.map} offsetAt={offsetAt} />
      </Later>
      <Later>
        <div className="grid gap-x-12 lg:grid-cols-2">
          <FisherPanel fisher={box.fisher} sample={view.sample} />
          <FreshnessPanel box={box} figures={figures} addresses={addresses} />
          <TimeLeftPanel figures={figures} />
          {figures.coldChain && <ColdChainPanel coldChain={figures.coldChain} />}
        </div>
        {box.catchProv && <CatchPanel catchProv={box.catchProv} />}
      </Later>
      {box.iotResult && (
        <Later>
          <SensorPanel
            iotResult={box.iotResult}
            readings={readings}
            addresses={addresses}
            offsetAt={offsetAt}
          />
        </Later>
      )}
      <Later>
        <EyePanel results={box.imageProc} addresses={addresses} />
        <NosePanel results={box.e_nose} addresses={addresses} />
      </Later>
      <Later>
        <RecordTable boxID={box.boxID} records={view.records} />
      </Later>
      <Later>
        <CheckPanel boxID={box.boxID} chain={site.chain} />
      </Later>
    </div>
  )
}

/** One box from catch to assessment, checked by the visitor's browser: the head, and all that it rests on. */
export function BoxPage(props: Props) {
  const { view, site } = props
  const page = useMemo(
    () => ({ box: view.box, hashes: view.records.map(({ recordHash }) => recordHash) }),
    [view],
  )
  return (
    <PageCheckProvider page={page} contract={site.chain.contract}>
      <MarkedReadingProvider>
        <div className="wrap grid py-6 md:py-10">
          <BoxHead view={view} />
          <Products products={view.products} />
          <Later>
            <Panels {...props} />
          </Later>
        </div>
      </MarkedReadingProvider>
    </PageCheckProvider>
  )
}
