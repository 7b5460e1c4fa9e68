import type { SalesReport } from '@befaqt/domain/api/desk-api'
import { nearestBar, roundTicks } from '#web/features/box/chart/bar-chart.ts'
import { BarsChart, type BarsRow } from './bars-chart.tsx'
import { ChartFrame, type ChartKey } from './chart-frame.tsx'
import { axisText, changeText, type Figure, figureLabel, rowName, shortName } from './report-parts.tsx'

type Props = { report: SalesReport; figure: Figure }

const keys: readonly ChartKey[] = [
  ['bg-teal', 'this range'],
  ['bg-edge', 'the one before'],
]

/** Sales as a chart: days and months along the time, all else as rows. */
export function ReportChart({ report, figure }: Props) {
  if (report.by === 'day') return <DaysChart report={report} figure={figure} />
  const rows = report.rows.map(({ key, name, now, before }): BarsRow => {
    const [value, then] = [figure.of(now), figure.of(before)]
    return {
      ...{ key, name, text: figure.text(value), now: [[value, 'fill-teal']] },
      before: { text: withChange(figure, value, then), parts: [[then, 'fill-edge']] },
    }
  })
  return (
    <BarsChart
      label={figureLabel(figure, report.by)}
      rows={rows}
      least={figure.least}
      axis={(value) => axisText(figure.text(value))}
      keys={keys}
    />
  )
}

/** '$12.00 (+8 %)' of what it was before. */
function withChange(figure: Figure, now: number, then: number): string {
  const change = changeText(now, then)
  return `${figure.text(then)}${change && ` (${change})`}`
}

/** Lengths down are pixels, those across shares of the width. What is told of a day stands above the bars. */
const HEIGHT = 300
const TOP = 58
const FOOT = HEIGHT - 28
/** Room for the figures of the axis. Pixels. */
const LEFT = 76
/** Names below the chart, on a phone the first, the middle and the last of them. */
const MOST_NAMES = 7
const TIP = { width: 212, height: 46 }

const textClass = 'fill-slate text-chart'

/** Days or months as bars beside those of the range before. */
function DaysChart({ report: { rows, step }, figure }: Props) {
  const values = rows.map(({ now, before }) => [figure.of(now), figure.of(before)] as const)
  const high = Math.max(figure.least, ...values.flat())
  const ticks = roundTicks(Math.min(0, ...values.flat()), high, 4)
  const [low, most] = [ticks[0] ?? 0, ticks.at(-1) ?? high]
  const yOf = (value: number): number => FOOT - ((value - low) / (most - low)) * (FOOT - TOP)
  const room = 100 / Math.max(1, rows.length)
  const bars = rows.map((_, i) => ({ centre: (i + 0.5) * room }))
  const then = `the ${step === 'day' ? 'day' : 'days'} in the range before`
  const told = (i: number): [string, string] => {
    const [now, before] = values[i] ?? [0, 0]
    const row = rows[i]
    return [`${row ? rowName('day', row) : ''}: ${figure.text(now)}`, withChange(figure, now, before)]
  }
  return (
    <ChartFrame
      label={`${figure.label}, ${step}`}
      count={rows.length}
      sentence={(i) => `${told(i)[0]}; ${told(i)[1]} ${then}`}
      at={({ x, width }) => nearestBar(bars, ((x - LEFT) / (width - LEFT)) * 100)}
      keys={keys}
      className="flex"
    >
      {(marked) => (
        <>
          <svg width={LEFT} height={HEIGHT} aria-hidden="true" className="shrink-0">
            {ticks.map((value) => (
              <text
                key={value}
                x={LEFT - 8}
                y={yOf(value)}
                dy="0.35em"
                textAnchor="end"
                className={textClass}
              >
                {axisText(figure.text(value))}
              </text>
            ))}
          </svg>
          <svg width="100%" height={HEIGHT} aria-hidden="true" className="min-w-0 flex-1">
            {ticks.map((value) => (
              <line key={value} x2="100%" y1={yOf(value)} y2={yOf(value)} className="stroke-line" />
            ))}
            {marked !== null && (
              <rect
                x={`${marked * room}%`}
                width={`${room}%`}
                y={TOP}
                height={FOOT - TOP}
                className="fill-ice"
              />
            )}
            {values.map(([now, before], i) => (
              <g key={rows[i]?.key}>
                <Bar
                  x={(i + 0.12) * room}
                  width={room * 0.36}
                  from={yOf(0)}
                  to={yOf(before)}
                  className="fill-edge"
                />
                <Bar
                  x={(i + 0.5) * room}
                  width={room * 0.38}
                  from={yOf(0)}
                  to={yOf(now)}
                  className="fill-teal"
                />
              </g>
            ))}
            <Names rows={rows} />
            {marked !== null && <Tip at={(marked + 0.5) * room} lines={told(marked)} />}
          </svg>
        </>
      )}
    </ChartFrame>
  )
}

/** Days below the chart: as many as there is room for, with their weekday where it is wide. */
function Names({ rows }: Pick<SalesReport, 'rows'>) {
  const last = rows.length - 1
  const some = (count: number): number[] => [
    ...new Set(Array.from({ length: count }, (_, i) => Math.round((i * last) / (count - 1)))),
  ]
  const named = (indexes: readonly number[], text: typeof shortName, className: string) =>
    indexes.map((i) => {
      const row = rows[i]
      const anchor = last === 0 ? 'middle' : i === 0 ? 'start' : i === last ? 'end' : 'middle'
      const x = { start: 0, middle: ((i + 0.5) / rows.length) * 100, end: 100 }[anchor]
      return (
        row && (
          <text
            key={row.key}
            x={`${x}%`}
            y={HEIGHT - 8}
            textAnchor={anchor}
            className={`${textClass} ${className}`}
          >
            {text(row)}
          </text>
        )
      )
    })
  return (
    <>
      {named(some(3), shortName, 'md:hidden')}
      {named(some(MOST_NAMES), (row) => rowName('day', row), 'max-md:hidden')}
    </>
  )
}

/** What is told of the day that is pointed at, within the chart wherever that is. */
const Tip = ({ at, lines: [lead, before] }: { at: number; lines: [string, string] }) => (
  <svg x={`${at}%`} y="2" className="overflow-visible" aria-hidden="true">
    <rect x={(-TIP.width * at) / 100} {...TIP} rx="6" className="fill-ink" />
    <text x={(-TIP.width * at) / 100 + 10} y="19" className="fill-surface font-semibold text-chart">
      {lead}
    </text>
    <text x={(-TIP.width * at) / 100 + 10} y="37" className="fill-surface text-chart">
      before: {before}
    </text>
  </svg>
)

type BarProps = { x: number; width: number; from: number; to: number; className: string }

const Bar = ({ x, width, from, to, className }: BarProps) => (
  <rect
    x={`${x}%`}
    width={`${width}%`}
    y={Math.min(from, to)}
    height={Math.abs(from - to)}
    rx="1"
    className={className}
  />
)
