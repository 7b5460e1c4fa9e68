import type { BoxPageView } from '@befaqt/domain/api/box-api'
import type { Site } from '@befaqt/domain/api/site-api'
import { instantOf } from '@befaqt/domain/market-time'
import { productPath } from '@befaqt/domain/page-paths'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { AfterHead } from '#web/components/after-head.tsx'
import { HydrationBoundary, useHydrated } from '#web/components/hydration.tsx'
import { marketOffset } from '#web/time/time.tsx'
import { journeyNames } from './chart/journey.ts'
import { MarkedReadingProvider } from './chart/reading-marks.tsx'
import { type ShownReading, sharedReadings, shownReadings } from './chart/readings.ts'
import { TemperatureChart } from './chart/temperature-chart.tsx'
import { CheckPanel } from './check/check-panel.tsx'
import { PageCheckProvider } from './check/page-check.tsx'
import { Drawn, RedrawnWhenProven } from './drawn.tsx'
import { BoxHead } from './head/box-head.tsx'
import { LivePlace } from './live/live-place.tsx'
import { TrackMap } from './map/track-map.tsx'
import { OriginLegend, OriginMark, Panel } from './panel.tsx'
import { FreshnessPanel } from './panels/freshness-panel.tsx'
import { CatchPanel, EyePanel, FisherPanel, NosePanel, SensorPanel } from './panels/record-panels.tsx'
import { boxFreshness } from './panels/shelf-life.ts'
import { ColdChainPanel, TimeLeftPanel } from './panels/time-left-panel.tsx'
import { RecordTable } from './record-table.tsx'
import { PaperFoot, TakeAway } from './take-away.tsx'
import { TradePanel } from './trade-panel.tsx'

/**
 * What the desk shows of a box, too. It takes them from here: what two screens import by itself is a file of its own,
 * which compresses worse.
 */
export { boxFreshness, journeyNames, MarkedReadingProvider, shownReadings, TemperatureChart }

type Props = { view: BoxPageView; site: Site }
type PageProps = Props & {
  /** The box that the address names. */
  asked: string
  onView: (view: BoxPageView) => void
}

function Products({ products }: Pick<BoxPageView, 'products'>) {
  if (products.length === 0) return null
  return (
    <p className="no-print mt-4">
      On sale from this box <OriginMark origin="shop" />:{' '}
      {products.map(({ _id, title }, i) => (
        <span key={_id}>
          {i > 0 && ', '}
          <Link to={productPath(_id)} className="link font-semibold">
            {title}
          </Link>
        </span>
      ))}
    </p>
  )
}

/**
 * A part of the page below its first screen, hydrated in a step of its own and laid out when one comes near. Its frame
 * stays when what is in it is drawn anew: a browser remembers by the frame how high it was.
 */
const Part = ({ children }: { children: ReactNode }) => (
  <div className="when-near room-of-panel">
    <HydrationBoundary>{children}</HydrationBoundary>
  </div>
)

/** The panels of spec §2 in their order, what we add to them, the proof. */
function Panels({ view, site }: Props) {
  const { box, figures, addresses } = view
  const zone = site.market.timeZone
  const readings = useShared(useMemo(() => shownReadings(box, zone), [box, zone]))
  const offsetAt = useMemo(() => marketOffset(zone), [zone])
  return (
    <div className="mt-10 grid grid-cols-1 print:mt-0">
      <Part>
        <Drawn>
          <div className="grid gap-x-12 lg:grid-cols-2 print:grid-cols-1">
            <FisherPanel fisher={box.fisher} sample={view.sample} />
            <FreshnessPanel view={view} />
          </div>
          {box.catchProv && <CatchPanel catchProv={box.catchProv} />}
        </Drawn>
      </Part>
      <Part>
        <Journey readings={readings} site={site} offsetAt={offsetAt} view={view} />
      </Part>
      {box.iotResult && (
        <Part>
          <Drawn>
            <SensorPanel
              iotResult={box.iotResult}
              readings={readings}
              addresses={addresses}
              offsetAt={offsetAt}
              market={site.market}
            />
          </Drawn>
        </Part>
      )}
      <Part>
        <Drawn>
          <EyePanel results={box.imageProc} addresses={addresses} />
          <NosePanel results={box.e_nose} addresses={addresses} />
        </Drawn>
      </Part>
      <Part>
        <Drawn>
          <div className="grid gap-x-12 lg:grid-cols-2 print:grid-cols-1">
            <TimeLeftPanel view={view} />
            <ColdChainPanel figures={figures} />
          </div>
          <PaperFoot boxID={box.boxID} publicUrl={site.publicUrl} asOf={view.asOf} />
        </Drawn>
      </Part>
      <Part>
        <Drawn>
          <RecordTable boxID={box.boxID} records={view.records} />
        </Drawn>
      </Part>
      <Part>
        <CheckPanel boxID={box.boxID} contract={site.chain.contract} />
        <TradePanel boxID={box.boxID} />
      </Part>
    </div>
  )
}

/**
 * One box from catch to assessment, checked by the visitor's browser: the head, and all that it rests on.
 * @param onView shows what came of the box since
 */
export function BoxPage({ asked, onView, ...props }: PageProps) {
  const { view, site } = props
  const { market } = site
  const page = useMemo(() => ({ view, market }), [view, market])
  return (
    <PageCheckProvider page={page} contract={site.chain.contract} boxID={asked}>
      <RedrawnWhenProven>
        <MarkedReadingProvider>
          <div className="paper wrap grid py-6 max-sm:pt-3 md:py-10">
            <Drawn>
              <BoxHead view={view} />
              <Products products={view.products} />
            </Drawn>
            <LivePlace view={view} onView={onView} />
            <TakeAway title={`Fish box ${view.box.boxID}`} />
            <AfterHead>
              <HydrationBoundary>
                <Panels {...props} />
              </HydrationBoundary>
              <Drawn>
                <OriginLegend />
              </Drawn>
            </AfterHead>
          </div>
        </MarkedReadingProvider>
      </RedrawnWhenProven>
    </PageCheckProvider>
  )
}

type JourneyProps = {
  readings: readonly ShownReading[]
  site: Site
  offsetAt: (at: number) => number
  view: BoxPageView
}

/** From catch to market: where the box was and how cold, moving together. */
function Journey({ readings, site, offsetAt, view }: JourneyProps) {
  const { landedAt } = view
  const isCaught = view.box.catchProv !== null
  const isHydrated = useHydrated() // the frame of the map is drawn anew before there is a map in it
  const { named, ends } = useMemo(() => {
    const landed = landedAt === null ? undefined : instantOf(landedAt, site.market.timeZone)
    return journeyNames(readings, site.market, isCaught, landed)
  }, [readings, site, landedAt, isCaught])
  return (
    <Panel
      title={
        <>
          <span className="print:hidden">Tracking map</span>
          <span className="hidden print:inline">Temperature on the way</span>
        </>
      }
    >
      {readings.length === 0 ? (
        <p className="text-slate">No readings of this box have come in yet.</p>
      ) : (
        <div className="grid items-start gap-x-8 gap-y-6 2xl:grid-cols-[9fr_11fr]">
          <TrackMap key={String(isHydrated)} readings={readings} map={site.map} names={ends} />
          <Drawn>
            <TemperatureChart readings={readings} offsetAt={offsetAt} named={named} />
          </Drawn>
        </div>
      )}
    </Panel>
  )
}

/** The readings, each the same object for as long as it is shown as it is: what depends on them is not made again. */
function useShared(readings: readonly ShownReading[]): readonly ShownReading[] {
  const [kept, setKept] = useState(readings)
  const shared = sharedReadings(kept, readings)
  if (shared !== kept) setKept(shared)
  return shared
}
