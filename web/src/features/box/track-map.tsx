import { useEffect, useMemo, useRef, useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import type { TrackMap as LiveMap } from './leaflet-map.ts'
import type { MapPoint } from './map-marker.ts'
import type { MapSketch } from './map-sketch.ts'
import { useMarkedReading } from './marked-reading.tsx'
import { degrees, type ShownReading } from './shown-reading.ts'
import { TrackSketch } from './track-sketch.tsx'
import { useNear } from './use-near.ts'

type Props = {
  readings: readonly ShownReading[]
  sketch: MapSketch | null
  tiles: string | null
  attribution: string | null
}

/** Readings that have a place on the map; positions without latitude are left out. Source: spec §2. */
const mapPoints = (readings: readonly ShownReading[]): MapPoint[] =>
  readings.flatMap(({ spot, sensor, temperature, band }, index) =>
    spot ? [{ index, spot, sensor, degrees: degrees(temperature), band }] : [],
  )

type Stage = 'loading' | 'ready' | 'failed'

function useLiveMap({ readings, tiles, attribution }: Props) {
  const { marked, mark } = useMarkedReading()
  const element = useRef<HTMLDivElement>(null)
  const [stage, setStage] = useState<Stage>('loading')
  const [tilesFailed, setTilesFailed] = useState(false)
  const [map, setMap] = useState<LiveMap | null>(null)
  const points = useMemo(() => mapPoints(readings), [readings])
  const near = useNear(element)

  useEffect(() => {
    const target = element.current
    if (!near || !target || points.length === 0) return
    const ground = target.appendChild(document.createElement('div'))
    ground.className = 'track-map absolute inset-0'
    let live: LiveMap | null = null
    let gone = false
    const onTilesFailed = () => setTilesFailed(true)
    import('./leaflet-map.ts')
      .then(({ trackMap }) => trackMap(ground, { points, tiles, attribution, onMark: mark, onTilesFailed }))
      .then((made) => {
        if (gone) return made.remove()
        live = made
        setMap(made)
        setStage('ready')
      })
      .catch(() => !gone && setStage('failed'))
    return () => {
      gone = true
      live?.remove()
      ground.remove()
      setMap(null)
      setStage('loading')
    }
  }, [near, points, tiles, attribution, mark])

  useEffect(() => map?.mark(marked), [map, marked])
  return { element, near, stage, map, tilesFailed, empty: points.length === 0 }
}

/** The journey on a map, 420 px high; a still picture of it until it is near and the map is there, and without script. */
export function TrackMap(props: Props) {
  const { element, near, stage, map, tilesFailed, empty } = useLiveMap(props)
  if (empty) return <p className="text-slate">No positions were recorded for this box.</p>
  return (
    <div>
      {stage === 'failed' && (
        <Alert tone="bad" className="mb-3">
          Map cannot be loaded right now, sorry.
        </Alert>
      )}
      <section
        ref={element}
        aria-label="Map of the journey"
        className="relative isolate h-[420px] w-full overflow-hidden rounded-lg border border-line bg-sea"
      >
        {stage !== 'ready' && props.sketch && <TrackSketch sketch={props.sketch} readings={props.readings} />}
        {near && stage === 'loading' && (
          <div className="no-print absolute top-3 right-3 rounded-md bg-surface px-3 py-2">
            <Spinner label="Loading the map" />
          </div>
        )}
      </section>
      <p className="mt-2 flex min-h-11 flex-wrap items-center justify-between gap-x-6 text-slate text-sm noscript:hidden">
        <span>
          {tilesFailed
            ? 'The map pictures could not be loaded; the built-in coastline is shown instead.'
            : 'The large ring is where the record begins.'}
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
