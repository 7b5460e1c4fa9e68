import { BAND_ENDS } from '@befaqt/domain/tracking'
import { memo, useMemo } from 'react'
import { type Bar, type BarChart, barChart, MIN_BAR, readingsFrame, warmestBars } from './bar-chart.ts'
import { BandLegend, bandFill, ReadingSlider, useMarkedReading } from './reading-marks.tsx'
import { degrees, type ShownReading } from './readings.ts'

const { width, height, left, right, top, bottom } = readingsFrame

type Props = {
  readings: readonly ShownReading[]
  /** Distance of the market's clock from UTC at a time, in milliseconds. */
  offsetAt: (at: number) => number
}

/** Temperatures over time as bars: 600 by 350, smaller on phones. Source: spec §2, look.md. */
export function ReadingsChart({ readings, offsetAt }: Props) {
  const chart = useMemo(() => barChart(readings, readingsFrame, offsetAt), [readings, offsetAt])
  const drawn = useMemo(() => warmestBars(chart.bars, MIN_BAR), [chart])
  const { marked } = useMarkedReading()
  const reading = marked === null ? undefined : readings[marked]
  const bar = marked === null ? undefined : chart.bars[marked]
  return (
    <figure className="max-w-[600px] md:w-[600px]">
      <ReadingSlider label="Temperature chart, reading" readings={readings} bars={chart.bars} width={width}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          className="h-auto w-full"
          aria-hidden="true"
        >
          <Axes chart={chart} offsetAt={offsetAt} />
          <Bars drawn={drawn} bars={chart.bars} readings={readings} />
          {reading && bar && <ChartTooltip bar={bar} reading={reading} />}
        </svg>
      </ReadingSlider>
      <figcaption className="mt-2">
        <BandLegend />
        {drawn.length < readings.length && (
          <p className="mt-1 muted">
            {readings.length} readings: where bars would cover one another, the warmest is drawn.
          </p>
        )}
      </figcaption>
    </figure>
  )
}

type BarsProps = { drawn: readonly number[]; bars: readonly Bar[]; readings: readonly ShownReading[] }

const Bars = memo(function Bars({ drawn, bars, readings }: BarsProps) {
  return drawn.map((i) => {
    const [bar, reading] = [bars[i], readings[i]]
    if (!bar || !reading) return null
    return (
      <rect
        key={reading.key}
        x={bar.x}
        y={bar.y}
        width={bar.width}
        height={Math.max(bar.height, 1)}
        rx={Math.min(3, bar.width / 3)}
        className={bandFill[reading.band]}
      />
    )
  })
})

const axisText = 'fill-slate text-chart-narrow sm:text-chart'

const Axes = memo(function Axes({ chart, offsetAt }: { chart: BarChart; offsetAt: (at: number) => number }) {
  const localOf = (at: number | undefined): string =>
    at === undefined ? '' : new Date(at + offsetAt(at)).toISOString()
  return (
    <g>
      {chart.yTicks.map(({ y, value }) => (
        <g key={value}>
          <line x1={left} x2={width - right} y1={y} y2={y} className="stroke-line" />
          <text x={left - 8} y={y} dy="0.35em" textAnchor="end" className={axisText}>
            {String(value).replace('-', '−')}
          </text>
        </g>
      ))}
      {Object.values(BAND_ENDS).map((end) => (
        <line
          key={end}
          x1={left}
          x2={width - right}
          y1={chart.yOf(end)}
          y2={chart.yOf(end)}
          strokeDasharray="2 4"
          className="stroke-edge"
        />
      ))}
      <line x1={left} x2={width - right} y1={chart.zero} y2={chart.zero} className="stroke-edge" />
      {chart.xTicks.map(({ x, at }, i) => (
        <TimeTick
          key={at}
          x={x}
          local={localOf(at)}
          before={localOf(chart.xTicks[i - 1]?.at)}
          odd={i % 2 === 1}
        />
      ))}
      <text x={left - 8} y={top - 22} textAnchor="end" className={axisText}>
        °C
      </text>
    </g>
  )
})

type TickProps = { x: number; local: string; before: string; odd: boolean }

/** HH:MM, with the day where it differs from the tick before. `local` is the market's clock, as ISO 8601. */
function TimeTick({ x, local, before, odd }: TickProps) {
  const [day, clock] = [local.slice(5, 10), local.slice(11, 16)]
  const base = height - bottom
  return (
    <g className={odd ? 'max-sm:hidden' : undefined}>
      <line x1={x} x2={x} y1={base} y2={base + 5} className="stroke-edge" />
      <text x={x} y={base + 22} textAnchor="middle" className={axisText}>
        {clock}
      </text>
      {day !== before.slice(5, 10) && (
        <text x={x} y={base + 44} textAnchor="middle" className={axisText}>
          {day}
        </text>
      )}
    </g>
  )
}

const TOOLTIP = { width: 170, height: 54 }

/** The reading of the marked bar, beside it and always inside the chart. */
function ChartTooltip({ bar, reading }: { bar: Bar; reading: ShownReading }) {
  const toTheLeft = bar.centre > width / 2
  const x = toTheLeft ? bar.centre - TOOLTIP.width - 10 : bar.centre + 10
  return (
    <g pointerEvents="none">
      <line x1={bar.centre} x2={bar.centre} y1={top} y2={height - bottom} className="stroke-ink" />
      <rect
        x={bar.x - 1.5}
        y={bar.y - 1.5}
        width={bar.width + 3}
        height={bar.height + 3}
        rx="4"
        fill="none"
        strokeWidth="2"
        className="stroke-ink"
      />
      <rect x={x} y={top} {...TOOLTIP} rx="6" className="fill-ink" />
      <text
        x={x + 12}
        y={top + 22}
        className="fill-surface font-semibold text-chart-narrow-lead sm:text-chart-lead"
      >
        {degrees(reading.temperature)} · {reading.band}
      </text>
      <text x={x + 12} y={top + 43} className="fill-surface text-chart-narrow-note sm:text-chart">
        {reading.date} {reading.clock}
      </text>
    </g>
  )
}
