import { roundTicks } from '#web/features/box/chart/bar-chart.ts'
import { ChartFrame, type ChartKey } from './chart-frame.tsx'

/** Part of a bar: how much, and its colour. */
type Part = readonly [value: number, fill: string]

/**
 * What a chart draws of one row. `text`: what it comes to; `told`: what is said of it where it is marked, instead of that;
 * `before`: the same of the range before, where there is one.
 */
export type BarsRow = {
  key: string
  name: string
  text: string
  told?: string
  now: readonly Part[]
  before: BarsBefore | null
}
type BarsBefore = { text: string; parts: readonly Part[] }

/** Rows of a chart; the table has the others. */
const MOST = 12
/** Pixels of a row, and of its name above its bars. */
const ROW = 52

type Props = {
  /** What the bars are, as 'Revenue'. */
  label: string
  rows: readonly BarsRow[]
  /** What the axis reaches at least: less could not be told in its figures. */
  least: number
  axis: (value: number) => string
  keys: readonly ChartKey[]
}

const sumOf = (parts: readonly Part[] = []): number =>
  parts.reduce((sum, [value]) => sum + Math.max(0, value), 0)

/** Rows with names as bars, the first of them, each above what it was in the range before. */
export function BarsChart({ label, rows, least, axis, keys }: Props) {
  const shown = rows.slice(0, MOST)
  const high = Math.max(least, ...shown.flatMap(({ now, before }) => [sumOf(now), sumOf(before?.parts)]))
  const ticks = roundTicks(0, high, 4)
  const most = ticks.at(-1) ?? high
  const sentence = (i: number): string => {
    const row = shown[i]
    return row
      ? `${row.name}: ${row.told ?? row.text}${row.before ? `; ${row.before.text} before` : ''}`
      : 'nothing'
  }
  if (shown.length === 0) return null
  return (
    <>
      {rows.length > MOST && <p className="mb-2 muted">{`The first ${MOST}; all are in the table.`}</p>}
      <ChartFrame
        label={`${label}, row`}
        count={shown.length}
        sentence={sentence}
        at={({ y }) => (y < shown.length * ROW ? Math.max(0, Math.floor(y / ROW)) : null)}
        isList
        keys={keys}
        className="relative"
      >
        {(marked) => (
          <>
            <Grid ticks={ticks} most={most} height={shown.length * ROW} />
            {shown.map((row, i) => (
              <Row key={row.key} row={row} most={most} isMarked={i === marked} isLow={i > shown.length / 2} />
            ))}
            <Axis ticks={ticks} most={most} text={axis} />
          </>
        )}
      </ChartFrame>
    </>
  )
}

type RowProps = { row: BarsRow; most: number; isMarked: boolean; isLow: boolean }

/** `isLow`: what is told of it stands above it, where there is room. */
function Row({ row: { name, text, told = text, now, before }, most, isMarked, isLow }: RowProps) {
  return (
    <div className={`relative h-13 ${isMarked ? 'bg-ice' : ''}`} aria-hidden="true">
      <div className="flex h-5 justify-between gap-3 text-chart leading-5">
        <span className="truncate">{name}</span>
        <span className="shrink-0 tabular-nums">{text}</span>
      </div>
      <svg className="block h-8 w-full" aria-hidden="true">
        <Stacked parts={now} most={most} y={2} height={12} />
        {before && <Stacked parts={before.parts} most={most} y={17} height={7} />}
      </svg>
      {isMarked && (
        <div
          className={`pointer-events-none absolute left-0 z-10 max-w-full rounded-md bg-ink px-3 py-1.5 text-surface text-chart ${isLow ? 'bottom-full' : 'top-full'}`}
        >
          <b className="block font-semibold text-chart-lead">{told}</b>
          {name}
          {before && <span className="block tabular-nums">before: {before.text}</span>}
        </div>
      )}
    </div>
  )
}

type StackedProps = { parts: readonly Part[]; most: number; y: number; height: number }

function Stacked({ parts, most, y, height }: StackedProps) {
  let from = 0
  return parts.map(([value, fill]) => {
    const [x, width] = [from, (Math.max(0, value) / most) * 100]
    from += width
    return <rect key={fill} x={`${x}%`} y={y} width={`${width}%`} height={height} rx="1" className={fill} />
  })
}

type Ticks = { ticks: readonly number[]; most: number }

const Grid = ({ ticks, most, height }: Ticks & { height: number }) => (
  <svg width="100%" height={height} aria-hidden="true" className="absolute inset-x-0 top-0">
    {ticks.map((value) => (
      <line
        key={value}
        x1={`${(value / most) * 100}%`}
        x2={`${(value / most) * 100}%`}
        y2={height}
        className="stroke-line"
      />
    ))}
  </svg>
)

/** Figures below the bars; on a phone every other one. */
const Axis = ({ ticks, most, text }: Ticks & { text: Props['axis'] }) => (
  <svg width="100%" height="20" aria-hidden="true" className="block">
    {ticks.map((value, i) => (
      <text
        key={value}
        x={`${(value / most) * 100}%`}
        y="15"
        textAnchor={i === 0 ? 'start' : value === most ? 'end' : 'middle'}
        className={`fill-slate text-chart ${i % 2 === 1 && value !== most ? 'max-md:hidden' : ''}`}
      >
        {text(value)}
      </text>
    ))}
  </svg>
)
