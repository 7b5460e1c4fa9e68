import { COLD_LIMIT } from '@befaqt/domain/cold-chain'
import { durationText } from '@befaqt/domain/duration-text'
import { DAY_MS } from '@befaqt/domain/durations'
import { dayText } from '@befaqt/domain/moment-text'
import { BAND_ENDS } from '@befaqt/domain/tracking'
import { memo } from 'react'
import { type BarChart, clockTicks, type Frame, thinnedLine } from './bar-chart.ts'
import { drawnSilences, heardRows, type Named, peakOf, silences } from './journey.ts'
import { type Band, degrees, type ShownReading } from './readings.ts'

/** As wide as there is room for: lengths across are thousandths of the width, those down are pixels. */
export const frame: Frame = { width: 1000, height: 270, left: 0, right: 0, top: 50, bottom: 46 }
export const plotEnd = frame.height - frame.bottom
/** Names nearer to each other than this are on two lines. */
const NAME_ROOM = 280
/** About a pixel of the widest screens: what happens within it is one upright stroke. */
const COLUMN = 1

type Drawing = {
  chart: BarChart
  readings: readonly ShownReading[]
  offsetAt: (at: number) => number
  named: readonly Named[]
}

/** A place across, as a share of the width. */
export const across = (x: number): string => `${Math.round(x) / 10}%`
/** Text begins, is centred or ends at a place, so that it stays inside. */
const anchorAt = (x: number) => (x < 200 ? 'start' : x > 800 ? 'end' : 'middle')
export const axisText = 'fill-slate text-chart'
/** Figures on the axis that are nearer to the limit's than this would be written over it. Pixels. */
export const CLEAR = 14

/** All that doesn't change while one points at it. */
export const Plot = memo(function Plot({ chart, readings, offsetAt, named }: Drawing) {
  const silent = silences(readings)
  return (
    <>
      <Bands chart={chart} />
      <Days chart={chart} readings={readings} offsetAt={offsetAt} />
      {drawnSilences(silent, chart.bars).map(({ x, end, minutes, hasText }) => (
        <Silent key={x} x={x} end={end} text={hasText ? `no reading ${durationText(minutes)}` : ''} />
      ))}
      <line
        x2="100%"
        y1={chart.yOf(COLD_LIMIT)}
        y2={chart.yOf(COLD_LIMIT)}
        strokeDasharray="6 4"
        className="stroke-ink"
      />
      <svg
        viewBox={`0 0 ${frame.width} ${frame.height}`}
        width="100%"
        height={frame.height}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path
          d={heardRows(readings.length, silent)
            .map((row) => linePath(thinnedLine(row, chart.bars, COLUMN).flatMap((i) => chart.bars[i] ?? [])))
            .join('')}
          fill="none"
          strokeWidth="2.5"
          vectorEffect="non-scaling-stroke"
          strokeLinejoin="round"
          strokeLinecap="round"
          className="stroke-teal"
        />
      </svg>
      <Peak chart={chart} readings={readings} />
      {named.map(({ name, index }, i) => {
        const xOf = (at: number | undefined): number => chart.bars[at ?? 0]?.centre ?? 0
        const isNear = i > 0 && xOf(index) - xOf(named[i - 1]?.index) < NAME_ROOM
        return <Pin key={name} name={name} x={xOf(index)} isLower={isNear && i % 2 === 1} />
      })}
    </>
  )
})

/** SVG path through the tips of bars, to a tenth. A reading between two silences is a dot. */
const linePath = (bars: readonly { centre: number; tip: number }[]): string =>
  bars.map(({ centre, tip }, i) => `${i === 0 ? 'M' : 'L'}${tenths(centre)} ${tenths(tip)}`).join('') +
  (bars.length === 1 ? 'h.1' : '')

const tenths = (length: number): number => Math.round(length * 10) / 10

const bandGround: Record<Band, string> = { cold: 'fill-cold/10', cool: 'fill-cool/10', warm: 'fill-warm/10' }

/** The bands as grounds, each with its word at the edge where there is room for it. */
function Bands({ chart: { yOf } }: Pick<Drawing, 'chart'>) {
  const [cold, cool] = [yOf(BAND_ENDS.cold), yOf(BAND_ENDS.cool)]
  const spans: [Band, top: number, bottom: number][] = [
    ['warm', frame.top, cool],
    ['cool', cool, cold],
    ['cold', cold, plotEnd],
  ]
  return spans.map(([band, top, bottom]) => (
    <g key={band}>
      <rect width="100%" y={top} height={Math.max(0, bottom - top)} className={bandGround[band]} />
      {bottom - top > CLEAR && (
        <text x="100%" dx="-6" y={(top + bottom) / 2} dy="0.35em" textAnchor="end" className={axisText}>
          {band}
        </text>
      )}
    </g>
  ))
}

/** Midnights with the day that begins, and hours between them. */
function Days({ chart, readings, offsetAt }: Omit<Drawing, 'named'>) {
  const [first, last] = [readings[0]?.at ?? 0, readings.at(-1)?.at ?? 0]
  const starts = [first, ...clockTicks([first + 1, last], DAY_MS, offsetAt)]
  const local = (at: number): string => new Date(at + offsetAt(at)).toISOString()
  return (
    <>
      {chart.xTicks
        .filter(({ at }) => local(at).slice(11, 16) !== '00:00')
        .map(({ x, at }, i) => (
          <g key={at} className={i % 2 === 1 ? 'max-sm:hidden' : undefined}>
            <line x1={across(x)} x2={across(x)} y1={plotEnd} y2={plotEnd + 5} className="stroke-edge" />
            <text x={across(x)} y={plotEnd + 19} textAnchor="middle" className={axisText}>
              {local(at).slice(11, 16)}
            </text>
          </g>
        ))}
      {starts.map((at, i) => {
        const x = i === 0 ? 0 : chart.xOf(at)
        const room = (starts[i + 1] === undefined ? frame.width : chart.xOf(starts[i + 1] ?? 0)) - x
        return (
          <g key={at}>
            {i > 0 && (
              <line x1={across(x)} x2={across(x)} y1={frame.top} y2={plotEnd + 40} className="stroke-edge" />
            )}
            <text
              x={across(x)}
              dx={i > 0 ? 5 : 0}
              y={plotEnd + 40}
              className={`${axisText} ${room < 90 ? 'hidden' : room < 240 ? 'max-sm:hidden' : ''}`}
            >
              {dayText(local(at).slice(0, 10))}
            </text>
          </g>
        )
      })}
    </>
  )
}

/** A stretch without readings: empty ground between dashed edges, and how long it was. */
function Silent({ x, end, text }: { x: number; end: number; text: string }) {
  const middle = (x + end) / 2
  return (
    <g>
      <rect
        x={across(x)}
        width={across(end - x)}
        y={frame.top}
        height={plotEnd - frame.top}
        strokeDasharray="3 4"
        className="fill-surface stroke-edge"
      />
      {text && (
        <text
          x={across(middle)}
          y={plotEnd - 10}
          textAnchor={anchorAt(middle)}
          className="halo fill-ink text-chart"
        >
          {text}
        </text>
      )}
    </g>
  )
}

/** Nearer to the top, the peak is named beside itself: above it the moments of the journey are named. Pixels. */
const PEAK_ROOM = 24

/** The warmest reading, marked and named. */
function Peak({ chart, readings }: Pick<Drawing, 'chart' | 'readings'>) {
  const peak = peakOf(readings)
  const [bar, reading] = peak === null ? [] : [chart.bars[peak], readings[peak]]
  if (!bar || !reading) return null
  const isHigh = bar.tip - PEAK_ROOM < frame.top
  const isLeft = bar.centre < (isHigh ? 500 : 200)
  return (
    <g>
      <circle
        cx={across(bar.centre)}
        cy={bar.tip}
        r="4.5"
        strokeWidth="2"
        className="fill-ink stroke-surface"
      />
      <text
        x={across(bar.centre)}
        dx={isLeft ? 9 : isHigh || bar.centre > 800 ? -9 : 0}
        y={isHigh ? Math.max(bar.tip, frame.top + 8) : bar.tip - 9}
        dy={isHigh ? '0.35em' : 0}
        textAnchor={isHigh ? (isLeft ? 'start' : 'end') : anchorAt(bar.centre)}
        className="halo fill-ink font-semibold text-chart"
      >
        highest {degrees(reading.temperature)}
      </text>
    </g>
  )
}

/** A named moment: its word above the plot, lower where its neighbour's is, and a line down to it. */
function Pin({ name, x, isLower }: { name: string; x: number; isLower: boolean }) {
  const y = isLower ? 34 : 16
  return (
    <g>
      <line
        x1={across(x)}
        x2={across(x)}
        y1={y + 6}
        y2={plotEnd}
        strokeDasharray="1 3"
        className="stroke-ink"
      />
      <text x={across(x)} y={y} textAnchor={anchorAt(x)} className="fill-ink font-semibold text-chart">
        {name}
      </text>
    </g>
  )
}
