import type { BoxPageView } from '@befaqt/domain/api/box-api'
import { hasFreshness } from '@befaqt/domain/freshness-word'
import { instantOf } from '@befaqt/domain/market-time'
import { dayText } from '@befaqt/domain/moment-text'
import { celsius } from '@befaqt/domain/tracking'
import { type ReactNode, useMemo } from 'react'
import { journeyNames } from '#web/features/box/chart/journey.ts'
import { MarkedReadingProvider } from '#web/features/box/chart/reading-marks.tsx'
import { shownReadings } from '#web/features/box/chart/readings.ts'
import { TemperatureChart } from '#web/features/box/chart/temperature-chart.tsx'
import { StarLine } from '#web/features/box/panels/freshness-panel.tsx'
import { boxFreshness, coldChainSentence } from '#web/features/box/panels/shelf-life.ts'
import { useSite } from '#web/root-data.ts'
import { Moment, marketOffset, useMarketZone } from '#web/time/time.tsx'
import { useNow } from '#web/time/today.ts'

/** How the fish of a box is as far as it was measured: what its buyers read, its peak with the time, and the chart. */
export function BoxCondition({ page }: { page: BoxPageView }) {
  const { figures, box } = page
  const zone = useMarketZone()
  const now = useNow(page.asOf)
  const fresh = hasFreshness(page) ? boxFreshness(figures, now, zone) : null
  const { coldChain, lastMeasured } = figures
  return (
    <div className="grid gap-x-8 gap-y-5 xl:grid-cols-[18rem_minmax(0,1fr)]">
      <dl className="grid content-start gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-1">
        <Fact label="Freshness, as buyers read it">
          {fresh ? (
            <span className="flex flex-wrap items-baseline gap-x-3">
              <StarLine figures={figures} />
              {fresh.word && <span>{fresh.word}</span>}
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
          <Fact label="Cold chain">{coldChainSentence(coldChain, zone, figures.formsHistamine)}</Fact>
        )}
      </dl>
      <Chart box={box} landedAt={page.landedAt} zone={zone} />
    </div>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="font-semibold muted">{label}</dt>
    <dd>{children}</dd>
  </div>
)

function Chart({ box, landedAt, zone }: Pick<BoxPageView, 'box' | 'landedAt'> & { zone: string }) {
  const market = useSite()?.market
  const readings = useMemo(() => shownReadings(box, zone), [box, zone])
  const offsetAt = useMemo(() => marketOffset(zone), [zone])
  const named = useMemo(() => {
    const landed = landedAt === null ? undefined : instantOf(landedAt, zone)
    return market ? journeyNames(readings, market, box.catchProv !== null, landed).named : []
  }, [readings, market, box, landedAt, zone])
  if (readings.length === 0) return <p className="text-slate">No readings of this box have come in yet.</p>
  return (
    <MarkedReadingProvider>
      <TemperatureChart readings={readings} offsetAt={offsetAt} named={named} />
    </MarkedReadingProvider>
  )
}
