import type { ExcursionDetail } from '@befaqt/domain/api/excursion-api'
import { Moment } from '#web/time/time.tsx'
import { crossings, ticks } from './crossings.ts'

/** Lengths across are thousandths of the width, those down are pixels. */
const [WIDTH, HEIGHT] = [1000, 220]
/** Degrees above and below what was measured. */
const MARGIN = 1.5
/** Figures on the axis that are nearer to the limit's than this would be written over it. Pixels. */
const CLEAR = 14

const across = (x: number): string => `${Math.round(x) / 10}%`

/** The readings around an excursion, its stretch shaded and the limit drawn. The same in words is beside it. */
export function ExcursionChart({ of }: { of: ExcursionDetail }) {
  const shown = of.readings.map(({ at, temperature }) => ({ at: Date.parse(at), temperature }))
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined || first === last)
    return <p className="text-slate">There are no readings around it to draw.</p>
  const degrees = [...shown.map(({ temperature }) => temperature), of.limit ?? 0]
  const [low, high] = [Math.min(...degrees) - MARGIN, Math.max(...degrees) + MARGIN]
  const x = (at: number): number =>
    ((Math.min(Math.max(at, first.at), last.at) - first.at) / (last.at - first.at)) * WIDTH
  const y = (temperature: number): number => ((high - temperature) / (high - low)) * HEIGHT
  const span = { since: Date.parse(of.since), until: of.endedAt === null ? Infinity : Date.parse(of.endedAt) }
  const [from, to] =
    of.limit === null ? [span.since, span.until] : crossings(shown, { ...span, limit: of.limit })
  const line = shown
    .map(({ at, temperature }) => `${x(at).toFixed(1)},${y(temperature).toFixed(1)}`)
    .join(' ')
  const peak = of.peak === null ? '' : `, highest ${of.peak.toFixed(1)} °C`
  const limitY = of.limit === null ? -Infinity : y(of.limit)
  return (
    <figure className="min-w-0">
      <div className="grid grid-cols-[2.75rem_minmax(0,1fr)]">
        <svg className="block h-[220px] w-11 overflow-visible" aria-hidden="true">
          {ticks(low, high)
            .filter((value) => Math.abs(y(value) - limitY) > CLEAR)
            .map((value) => (
              <text
                key={value}
                x="36"
                y={y(value)}
                dy="0.35em"
                textAnchor="end"
                className="fill-slate text-chart"
              >
                {String(value).replace('-', '−')}
              </text>
            ))}
          {of.limit !== null && (
            <text
              x="36"
              y={limitY}
              dy="0.35em"
              textAnchor="end"
              className="fill-bad font-semibold text-chart"
            >
              {String(of.limit).replace('-', '−')}
            </text>
          )}
        </svg>
        <svg
          role="img"
          aria-label={`Temperature in °C around the excursion${peak}`}
          className="block h-[220px] w-full rounded-md border border-line bg-surface"
        >
          <rect
            x={across(x(from))}
            width={across(Math.max(2, x(to) - x(from)))}
            y="0"
            height={HEIGHT}
            className="fill-warn-ice"
          />
          {of.limit !== null && (
            <line
              x2="100%"
              y1={limitY}
              y2={limitY}
              className="stroke-bad"
              strokeDasharray="6 5"
              strokeWidth="1.5"
            />
          )}
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            width="100%"
            height={HEIGHT}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <polyline
              points={line}
              fill="none"
              vectorEffect="non-scaling-stroke"
              className="stroke-teal"
              strokeWidth="2.5"
              strokeLinejoin="round"
            />
          </svg>
        </svg>
      </div>
      <figcaption className="mt-1 flex flex-wrap justify-between gap-2 pl-11 muted">
        <Moment at={new Date(first.at).toISOString()} />
        <Moment at={new Date(last.at).toISOString()} />
        {of.limit !== null && (
          <span className="w-full">Dashed line: the limit of {of.limit} °C; shaded: above it</span>
        )}
      </figcaption>
    </figure>
  )
}
