import type { SalesReport } from '@befaqt/domain/api/desk-api'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { nearestBar, roundTicks } from '#web/features/box/chart/bar-chart.ts'
import { keyedReading } from '#web/features/box/chart/readings.ts'
import { changeText, type Figure, rowName } from './report-parts.tsx'

type Props = { report: SalesReport; figure: Figure }

/** Lengths down are pixels, those across shares of the width. */
const HEIGHT = 260
const TOP = 12
const FOOT = HEIGHT - 28
/** Room for the figures of the axis. Pixels. */
const LEFT = 76
/** Names below the chart, on a phone half of them. */
const MOST_NAMES = 7

const axisText = 'fill-slate text-chart'

/** Days or months as bars beside those of the range before. Pointing or the arrow keys tell one of them. */
export function ReportChart({ report, figure }: Props) {
  const { rows, step } = report
  const [marked, setMarked] = useState<number | null>(null)
  const values = rows.map(({ now, before }) => [figure.of(now), figure.of(before)] as const)
  const high = Math.max(1, ...values.flat())
  const ticks = roundTicks(Math.min(0, ...values.flat()), high, 4)
  const [low, most] = [ticks[0] ?? 0, ticks.at(-1) ?? high]
  const yOf = (value: number): number => FOOT - ((value - low) / (most - low)) * (FOOT - TOP)
  const room = 100 / Math.max(1, rows.length)
  const bars = rows.map((_, i) => ({ centre: (i + 0.5) * room }))
  const every = Math.ceil(rows.length / MOST_NAMES)
  const told = rows[marked ?? rows.length - 1]
  const name = told ? rowName('day', told) : ''
  const then = `the ${step === 'day' ? 'day' : 'days'} in the range before`
  const text = told
    ? `${name}: ${figure.text(figure.of(told.now))}; ${figure.text(figure.of(told.before))} ${then}`
    : ''
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    setMarked(nearestBar(bars, ((event.clientX - box.left - LEFT) / (box.width - LEFT)) * 100))
  }
  const press = (event: KeyboardEvent): void => {
    const next = keyedReading(event.key, marked ?? -1, rows.length)
    if (next === null) return
    event.preventDefault()
    setMarked(next)
  }
  return (
    <figure className="mb-6 rounded-lg border border-line bg-surface p-3 sm:p-4">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${figure.label}, ${step}`}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, rows.length)}
        aria-valuenow={(marked ?? rows.length - 1) + 1}
        aria-valuetext={text || 'nothing'}
        className="flex touch-pan-y"
        onPointerMove={point}
        onPointerDown={point}
        onKeyDown={press}
      >
        <svg width={LEFT} height={HEIGHT} aria-hidden="true" className="shrink-0">
          {ticks.map((value) => (
            <text key={value} x={LEFT - 8} y={yOf(value)} dy="0.35em" textAnchor="end" className={axisText}>
              {axisFigure(figure, value)}
            </text>
          ))}
        </svg>
        <svg width="100%" height={HEIGHT} aria-hidden="true" className="min-w-0 flex-1">
          {ticks.map((value) => (
            <line key={value} x2="100%" y1={yOf(value)} y2={yOf(value)} className="stroke-line" />
          ))}
          {values.map(([now, before], i) => (
            <g key={rows[i]?.key}>
              {marked === i && (
                <rect
                  x={`${i * room}%`}
                  width={`${room}%`}
                  y={TOP}
                  height={FOOT - TOP}
                  className="fill-ice"
                />
              )}
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
          {rows.map((row, i) =>
            i % every === 0 ? (
              <text
                key={row.key}
                x={`${i === 0 ? 0 : (i + 0.5) * room}%`}
                y={HEIGHT - 8}
                textAnchor={i === 0 ? 'start' : i === rows.length - 1 ? 'end' : 'middle'}
                className={`${axisText} ${(i / every) % 4 === 0 ? '' : 'max-md:hidden'}`}
              >
                {rowName('day', row)}
              </text>
            ) : null,
          )}
        </svg>
      </div>
      <figcaption className="mt-2 flex flex-wrap justify-between gap-x-6 gap-y-1">
        <span className="min-h-6 tabular-nums" aria-hidden="true">
          {marked !== null && told && (
            <>
              <b className="font-semibold">{text}</b>{' '}
              {changeText(figure.of(told.now), figure.of(told.before))}
            </>
          )}
        </span>
        <span className="flex gap-4 muted">
          <Key className="bg-teal" text="this range" />
          <Key className="bg-edge" text="the one before" />
        </span>
      </figcaption>
    </figure>
  )
}

/** On the axis a figure has no parts. */
const axisFigure = ({ text }: Figure, value: number): string => text(value).replace(/\.0+(?=\D|$)/, '')

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

const Key = ({ className, text }: { className: string; text: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={`inline-block size-3 rounded-sm ${className}`} aria-hidden="true" />
    {text}
  </span>
)
