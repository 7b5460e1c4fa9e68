import type { Site } from '@befaqt/domain/api/site-api'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { silences } from '../chart/journey.ts'
import { useMarkedReading } from '../chart/reading-marks.tsx'
import { coordinates, degrees, type ShownReading } from '../chart/readings.ts'
import type { TrackMap as LiveMap, MapPoint, Track } from './leaflet-map.ts'
import { MapFrame } from './map-frame.tsx'

type Props = {
  readings: readonly ShownReading[]
  map: Site['map']
  /** What the first and the last point are. */
  names: readonly [first: string, last: string]
}

/** Readings that have a place on the map; positions without latitude are left out. Source: spec §2. */
const mapPoints = (readings: readonly ShownReading[]): MapPoint[] =>
  readings.flatMap(({ spot, sensor, temperature, band }, index) =>
    spot ? [{ index, spot, sensor, degrees: degrees(temperature), band }] : [],
  )

/** The journey on a map, 420 px high. */
export function TrackMap({ readings, names: [first, last], map: { tiles, attribution } }: Props) {
  const { marked, mark } = useMarkedReading()
  const [map, setMap] = useState<LiveMap | null>(null)
  const [tilesFailed, setTilesFailed] = useState(false)
  // Made here and not in `draw`, whose context would then hold every map that was drawn before.
  const onTilesFailed = useCallback(() => setTilesFailed(true), [])
  const points = useMemo(() => mapPoints(readings), [readings])
  const track = useMemo(
    (): Track => ({ points, unheard: new Set(silences(readings).map(({ to }) => to)), names: [first, last] }),
    [points, readings, first, last],
  )
  /** What is shown when the map has come. */
  const newest = useRef(track)
  newest.current = track
  const draw = useCallback(
    async (element: HTMLElement) => {
      const { trackMap } = await import('./leaflet-map.ts')
      return trackMap(element, newest.current, { tiles, attribution, onMark: mark, onTilesFailed })
    },
    [tiles, attribution, mark, onTilesFailed],
  )
  useEffect(() => map?.show(track), [map, track])
  useEffect(() => map?.mark(marked), [map, marked])
  if (points.length === 0) return <p className="text-slate">No positions were recorded for this box.</p>
  return (
    <div className="no-print">
      <MapFrame
        label="Map of the journey"
        className="h-[420px] noscript:h-auto"
        draw={draw}
        onMap={setMap}
        withoutScript={<Positions points={points} />}
      />
      <p className="mt-2 flex min-h-11 flex-wrap items-center justify-between gap-x-6 muted noscript:hidden">
        <span>
          {tilesFailed
            ? 'The map tiles could not be loaded; the built-in coastline is shown instead.'
            : 'Dashed: no position or no reading was sent.'}
          <span className="hidden pointer-coarse:inline"> Move the map with two fingers.</span>
        </span>
        <button
          type="button"
          onClick={map?.showAll}
          className={`link min-h-11 font-semibold ${map ? '' : 'invisible'}`}
        >
          Show the whole journey
        </button>
      </p>
    </div>
  )
}

/** The journey in place of the map, where it can't be drawn. All positions are in the table of readings. */
function Positions({ points }: { points: readonly MapPoint[] }) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  return (
    <p>
      From {coordinates(first.spot)} to {coordinates(last.spot)}, latitude / longitude. The map needs
      JavaScript;{' '}
      <a href="#readings" className="link">
        every position with its time and temperature
      </a>{' '}
      is in the table of readings.
    </p>
  )
}
