import type { ExcursionDetail } from '@befaqt/domain/api/excursion-api'
import { Time } from '#web/time/time.tsx'

const [WIDTH, HEIGHT] = [800, 220]
/** Time around the stretch that is shown, on each side, in milliseconds. */
const AROUND_MS = 6 * 3_600_000
/** Degrees above and below what was measured. */
const MARGIN = 1.5

/** The readings around an excursion, its stretch shaded and the limit drawn. The same in words is beside it. */
export function ExcursionChart({ of }: { of: ExcursionDetail }) {
  const since = Date.parse(of.since)
  const until = of.endedAt === null ? Infinity : Date.parse(of.endedAt)
  const shown = of.readings
    .map(({ at, temperature }) => ({ at: Date.parse(at), temperature }))
    .filter(({ at }) => at >= since - AROUND_MS && at <= until + AROUND_MS)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined || first === last)
    return <p className="text-slate">There are no readings around it to draw.</p>
  const degrees = [...shown.map(({ temperature }) => temperature), of.limit ?? 0]
  const [low, high] = [Math.min(...degrees) - MARGIN, Math.max(...degrees) + MARGIN]
  const x = (at: number): number =>
    ((Math.min(Math.max(at, first.at), last.at) - first.at) / (last.at - first.at)) * WIDTH
  const y = (temperature: number): number => ((high - temperature) / (high - low)) * HEIGHT
  const line = shown
    .map(({ at, temperature }) => `${x(at).toFixed(1)},${y(temperature).toFixed(1)}`)
    .join(' ')
  const peak = of.peak === null ? '' : `, highest ${of.peak.toFixed(1)} °C`
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Temperature around the excursion${peak}`}
        className="w-full rounded-md border border-line bg-surface"
      >
        <rect
          x={x(since)}
          width={Math.max(2, x(until) - x(since))}
          y="0"
          height={HEIGHT}
          className="fill-warn-ice"
        />
        {of.limit !== null && (
          <line
            x1="0"
            x2={WIDTH}
            y1={y(of.limit)}
            y2={y(of.limit)}
            className="stroke-bad"
            strokeDasharray="6 5"
            strokeWidth="1.5"
          />
        )}
        <polyline
          points={line}
          fill="none"
          className="stroke-teal"
          strokeWidth="2.5"
          strokeLinejoin="round"
        />
        {of.limit !== null && (
          <text x="6" y={y(of.limit) - 6} className="fill-bad" fontSize="14">
            limit {of.limit} °C
          </text>
        )}
      </svg>
      <figcaption className="mt-1 flex flex-wrap justify-between gap-2 text-slate text-sm">
        <Time at={new Date(first.at).toISOString()} />
        <span>
          {low.toFixed(0)} to {high.toFixed(0)} °C
        </span>
        <Time at={new Date(last.at).toISOString()} />
      </figcaption>
    </figure>
  )
}
