import { type Bar, readingsFrame } from './bar-chart.ts'
import { degrees, type ShownReading } from './shown-reading.ts'

const { width, height, top, bottom } = readingsFrame
const BOX = { width: 170, height: 54 }

/** What the marked bar stands for, beside it and always inside the chart. */
export function ChartTooltip({ bar, reading }: { bar: Bar; reading: ShownReading }) {
  const toTheLeft = bar.centre > width / 2
  const x = toTheLeft ? bar.centre - BOX.width - 10 : bar.centre + 10
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
      <rect x={x} y={top} {...BOX} rx="6" className="fill-ink" />
      <text x={x + 12} y={top + 22} className="fill-surface font-semibold text-[18px] sm:text-[15px]">
        {degrees(reading.temperature)} · {reading.band}
      </text>
      <text x={x + 12} y={top + 43} className="fill-surface text-[16px] sm:text-[13px]">
        {reading.date} {reading.clock}
      </text>
    </g>
  )
}
