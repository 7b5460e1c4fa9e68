import type { Site } from '@befaqt/domain/api/site-api'
import type { MapSketch } from './map-sketch.ts'
import { Panel } from './panel.tsx'
import type { ShownReading } from './shown-reading.ts'
import { TemperatureStrip } from './temperature-strip.tsx'
import { TrackMap } from './track-map.tsx'

type Props = {
  readings: readonly ShownReading[]
  sketch: MapSketch | null
  map: Site['map']
  offsetAt: (at: number) => number
}

/** From catch to market: where the box was and how cold, moving together. */
export function Journey({ readings, sketch, map, offsetAt }: Props) {
  return (
    <Panel title="Tracking map">
      {readings.length === 0 ? (
        <p className="text-slate">No readings of this box have come in yet.</p>
      ) : (
        <div className="grid gap-3">
          <TrackMap readings={readings} sketch={sketch} tiles={map.tiles} attribution={map.attribution} />
          <TemperatureStrip readings={readings} offsetAt={offsetAt} />
        </div>
      )}
    </Panel>
  )
}
