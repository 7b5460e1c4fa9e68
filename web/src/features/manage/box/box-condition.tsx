import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { COLD_LIMIT } from '@befaqt/domain/cold-chain'
import { durationText } from '@befaqt/domain/duration-text'
import { hasFreshness, unknownSince } from '@befaqt/domain/freshness-word'
import { instantOf } from '@befaqt/domain/market-time'
import { dayText } from '@befaqt/domain/moment-text'
import { celsius } from '@befaqt/domain/tracking'
import { type ReactNode, Suspense, useMemo } from 'react'
import { lazyPart } from '#web/components/lazy-part.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import { Stars } from '#web/components/stars.tsx'
import { useSite } from '#web/root-data.ts'
import { Moment, marketOffset, useMarketZone } from '#web/time/time.tsx'
import { useNow } from '#web/time/today.ts'

type Props = { page: Omit<BoxPageView, 'records'> }
type Shared = typeof import('#web/features/box/box-page.tsx')

/** How the fish of a box is as far as it was measured: what its buyers read, its peak with the time, and the chart. */
export const BoxCondition = (props: Props) => (
  <Suspense fallback={<Spinner label="Loading what was measured" />}>
    <LoadedCondition {...props} />
  </Suspense>
)

const load = async () => {
  const shared = await import('#web/features/box/box-page.tsx')
  return { default: (props: Props) => <Condition {...props} shared={shared} /> }
}
/** The server has it at once, since it renders without waiting. */
const LoadedCondition = import.meta.env.SSR ? (await load()).default : lazyPart(load)

function Condition({ page, shared }: Props & { shared: Shared }) {
  const { boxFreshness } = shared
  const { figures, box } = page
  const zone = useMarketZone()
  const now = useNow(page.asOf)
  const fresh = hasFreshness(page) ? boxFreshness(figures, now, zone) : null
  const { coldChain, lastMeasured } = figures
  return (
    <div className="grid gap-x-8 gap-y-5 xl:grid-cols-[18rem_minmax(0,1fr)]">
      <dl className="grid content-start gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-1">
        <Fact label="Freshness, as buyers read it">
          {fresh?.unknown ? (
            <b className="font-semibold text-bad">{unknownSince(fresh.unknown, fresh.today)}</b>
          ) : fresh ? (
            <span className="flex flex-wrap items-baseline gap-x-3">
              {fresh.stars !== null && <Stars count={fresh.stars} />}
              <span>{fresh.word ?? (fresh.stars === null && 'not rated yet')}</span>
            </span>
          ) : (
            'Nothing is said of it while it is not for sale.'
          )}
        </Fact>
        {fresh?.bestBy && <Fact label="Best by">{dayText(fresh.bestBy)}</Fact>}
        {coldChain && (
          <Fact label="Warmest">
            {celsius(coldChain.highest)}, <Moment at={coldChain.highestAt} />
          </Fact>
        )}
        {lastMeasured && (
          <Fact label={lastMeasured.isProbe ? 'Last measured, by a probe' : 'Last reading'}>
            {celsius(lastMeasured.temperature)}, <Moment at={lastMeasured.at} />
          </Fact>
        )}
        {coldChain && (
          <Fact label={`Above ${celsius(COLD_LIMIT)} in all`}>
            {durationText(coldChain.minutesAbove5)}
            {figures.formsHistamine && (
              <span className="block text-warn">This species forms histamine where it gets warm.</span>
            )}
          </Fact>
        )}
      </dl>
      <Chart box={box} landedAt={page.landedAt} zone={zone} shared={shared} />
    </div>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="font-semibold muted">{label}</dt>
    <dd>{children}</dd>
  </div>
)

type ChartProps = Pick<BoxPageView, 'box' | 'landedAt'> & { zone: string; shared: Shared }

function Chart({ box, landedAt, zone, shared }: ChartProps) {
  const { MarkedReadingProvider, TemperatureChart, journeyNames, shownReadings } = shared
  const market = useSite()?.market
  const readings = useMemo(() => shownReadings(box, zone), [box, zone, shownReadings])
  const offsetAt = useMemo(() => marketOffset(zone), [zone])
  const named = useMemo(() => {
    const landed = landedAt === null ? undefined : instantOf(landedAt, zone)
    return market ? journeyNames(readings, market, box.catchProv !== null, landed).named : []
  }, [readings, market, box, landedAt, zone, journeyNames])
  if (readings.length === 0) return <p className="text-slate">No readings of this box have come in yet.</p>
  return (
    <MarkedReadingProvider>
      <TemperatureChart readings={readings} offsetAt={offsetAt} named={named} />
    </MarkedReadingProvider>
  )
}
