import { BAND_ENDS, celsius } from '@befaqt/domain/tracking'
import { memo, useMemo } from 'react'
import { BandMark } from './band-mark.tsx'
import { type BarChart, barChart, type Frame } from './bar-chart.ts'
import { useMarkedReading } from './marked-reading.tsx'
import { ReadingSlider } from './reading-slider.tsx'
import { coordinates, degrees, type ShownReading } from './readings.ts'

const frame: Frame = { width: 1000, height: 120, left: 0, right: 0, top: 8, bottom: 8 }

type Props = { readings: readonly ShownReading[]; offsetAt: (at: number) => number }

/** Temperature along the journey, as wide as the map above it; pointing at it moves along the track. */
export function TemperatureStrip({ readings, offsetAt }: Props) {
  const chart = useMemo(() => barChart(readings, frame, offsetAt), [readings, offsetAt])
  const { marked } = useMarkedReading()
  const bar = marked === null ? undefined : chart.bars[marked]
  return (
    <div>
      <ReadingSlider
        label="Reading along the journey"
        readings={readings}
        bars={chart.bars}
        width={frame.width}
        className="cursor-ew-resize rounded-md border border-line bg-surface"
      >
        <svg
          viewBox={`0 0 ${frame.width} ${frame.height}`}
          preserveAspectRatio="none"
          className="block h-[120px] w-full"
          aria-hidden="true"
        >
          <Curve chart={chart} />
          {bar && (
            <line
              x1={bar.centre}
              x2={bar.centre}
              y1="0"
              y2={frame.height}
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
              className="stroke-ink"
            />
          )}
        </svg>
      </ReadingSlider>
      <Readout readings={readings} index={marked} />
    </div>
  )
}

/** SVG path through the points, to a tenth of a pixel. */
const linePath = (points: readonly { x: number; y: number }[]): string =>
  points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${tenths(x)} ${tenths(y)}`).join('')

const tenths = (length: number): number => Math.round(length * 10) / 10

const Curve = memo(function Curve({ chart }: { chart: BarChart }) {
  const points = chart.bars.map(({ centre, tip }) => ({ x: centre, y: tip }))
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const edge = `L${last.x} ${frame.height}L${first.x} ${frame.height}Z`
  return (
    <>
      {Object.values(BAND_ENDS).map((end) => (
        <line
          key={end}
          x1="0"
          x2={frame.width}
          y1={chart.yOf(end)}
          y2={chart.yOf(end)}
          vectorEffect="non-scaling-stroke"
          className={end === BAND_ENDS.cold ? 'stroke-cold' : 'stroke-warm'}
          strokeDasharray="2 5"
        />
      ))}
      <path d={linePath(points) + edge} className="fill-teal-ice" />
      <path
        d={linePath(points)}
        fill="none"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
        className="stroke-teal"
      />
    </>
  )
})

/** What is marked, in words; how to mark something while nothing is. */
function Readout({ readings, index }: { readings: readonly ShownReading[]; index: number | null }) {
  const reading = index === null ? undefined : readings[index]
  if (!reading || index === null)
    return (
      <p className="no-print mt-2 min-h-16 text-slate text-sm noscript:hidden">
        Slide along the curve, or use the arrow keys, to follow the box from reading to reading. Dotted lines:
        {BAND_ENDS.cold} and {celsius(BAND_ENDS.cool)}.
      </p>
    )
  return (
    <p className="mt-2 flex min-h-16 flex-wrap content-start items-baseline gap-x-4 text-sm">
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
    </p>
  )
}
