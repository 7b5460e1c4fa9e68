import { shownLabels } from './label-places.ts'
import { linePath, type MapSketch, sketchSize } from './map-sketch.ts'
import { degrees, type ShownReading } from './shown-reading.ts'

const LABEL = { width: 66, height: 22 }

/** The journey as a still drawing over the coast, in the place and size of the map. */
export function TrackSketch({ sketch, readings }: { sketch: MapSketch; readings: readonly ShownReading[] }) {
  const { land, points, towns } = sketch
  const onMap = readings.filter(({ spot }) => spot !== null)
  const labelled = shownLabels(points, LABEL, [0, points.length - 1])
  const first = points[0]
  return (
    <svg
      viewBox={`0 0 ${sketchSize.width} ${sketchSize.height}`}
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 size-full"
      role="img"
      aria-label="Drawing of the journey over the coastline"
    >
      <path d={land} fillRule="evenodd" className="fill-land stroke-edge" />
      {towns.map(({ name, x, y }) => (
        <text key={name} x={x - 10} y={y} dy="0.35em" textAnchor="end" className="fill-slate text-[13px]">
          {name}
        </text>
      ))}
      <path
        d={linePath(points)}
        fill="none"
        stroke="red"
        strokeOpacity="0.8"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      {points.map(({ x, y }, i) => (
        <g key={onMap[i]?.key}>
          <circle cx={x} cy={y} r="5" strokeWidth="2" className="fill-ink stroke-surface" />
          {labelled.has(i) && (
            <text
              x={x + 12}
              y={y}
              dy="0.35em"
              paintOrder="stroke"
              strokeWidth="4"
              strokeLinejoin="round"
              className="fill-ink stroke-surface font-semibold text-[13px]"
            >
              {degrees(onMap[i]?.temperature ?? 0)}
            </text>
          )}
        </g>
      ))}
      {first && (
        <circle cx={first.x} cy={first.y} r="9" strokeWidth="5" className="fill-surface stroke-teal" />
      )}
    </svg>
  )
}
