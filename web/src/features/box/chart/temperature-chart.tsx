import { COLD_LIMIT } from '@befaqt/domain/cold-chain'
import { celsius } from '@befaqt/domain/tracking'
import { memo, useMemo } from 'react'
import { type BarChart, barChart } from './bar-chart.ts'
import type { Named } from './journey.ts'
import { BandMark, ReadingSlider, useMarkedReading } from './reading-marks.tsx'
import { coordinates, degrees, type ShownReading } from './readings.ts'
import { across, axisText, CLEAR, frame, Plot, plotEnd } from './temperature-plot.tsx'

type Props = {
  readings: readonly ShownReading[]
  offsetAt: (at: number) => number
  named: readonly Named[]
}

/** Temperature along the journey with its bands and limit; pointing at it moves along the track. */
export function TemperatureChart({ readings, offsetAt, named }: Props) {
  const chart = useMemo(() => barChart(readings, frame, offsetAt), [readings, offsetAt])
  const { marked } = useMarkedReading()
  const bar = marked === null ? undefined : chart.bars[marked]
  return (
    <figure className="min-w-0">
      <div className="grid grid-cols-[2.75rem_minmax(0,1fr)]">
        <DegreeAxis chart={chart} />
        <ReadingSlider
          label="Reading along the journey"
          readings={readings}
          bars={chart.bars}
          width={frame.width}
          className="cursor-ew-resize"
        >
          <svg className="block h-[270px] w-full overflow-visible" aria-hidden="true">
            <Plot chart={chart} readings={readings} offsetAt={offsetAt} named={named} />
            {bar && (
              <line
                x1={across(bar.centre)}
                x2={across(bar.centre)}
                y1={frame.top}
                y2={plotEnd}
                strokeWidth="2"
                className="stroke-ink"
              />
            )}
          </svg>
        </ReadingSlider>
      </div>
      <Readout readings={readings} index={marked} isLanded={named.some(({ name }) => name === 'Landed')} />
    </figure>
  )
}

const DegreeAxis = memo(function DegreeAxis({ chart }: { chart: BarChart }) {
  const limit = chart.yOf(COLD_LIMIT)
  return (
    <svg className="block h-[270px] w-11" aria-hidden="true">
      <text x="36" y={frame.top - 14} textAnchor="end" className={axisText}>
        °C
      </text>
      {chart.yTicks
        .filter(({ y }) => Math.abs(y - limit) > CLEAR)
        .map(({ y, value }) => (
          <text key={value} x="36" y={y} dy="0.35em" textAnchor="end" className={axisText}>
            {String(value).replace('-', '−')}
          </text>
        ))}
      <text x="36" y={limit} dy="0.35em" textAnchor="end" className="fill-ink font-semibold text-chart">
        {COLD_LIMIT}
      </text>
    </svg>
  )
})

type ReadoutProps = { readings: readonly ShownReading[]; index: number | null; isLanded: boolean }

/** What is marked, in words; how to mark something while nothing is. */
function Readout({ readings, index, isLanded }: ReadoutProps) {
  const reading = index === null ? undefined : readings[index]
  if (!reading || index === null)
    return (
      <figcaption className="no-print mt-2 min-h-16 muted noscript:hidden">
        Drag to follow the box. Dashed line: {celsius(COLD_LIMIT)}, the limit for storage.
        {isLanded && ' ‘Landed’ is the shop’s estimate, from a coastline.'}
      </figcaption>
    )
  return (
    <figcaption className="no-print mt-2 flex min-h-16 flex-wrap content-start items-baseline gap-x-4 text-sm">
      <b className="inline-flex items-center gap-2 font-semibold text-base">
        <BandMark band={reading.band} />
        {degrees(reading.temperature)} {reading.band}
      </b>
      <span>
        {reading.date} {reading.clock}
      </span>
      <span className="text-slate">{reading.place ? coordinates(reading.place) : 'no position'}</span>
      <span className="text-slate">
        reading {index + 1} of {readings.length}
      </span>
    </figcaption>
  )
}
