import type { Site } from '@befaqt/domain/api/site-api'
import { TrackMap } from './map/track-map.tsx'
import { Panel } from './panel.tsx'
import type { ShownReading } from './shown-reading.ts'
import { TemperatureStrip } from './temperature-strip.tsx'

type Props = {
  readings: readonly ShownReading[]
  map: Site['map']
  offsetAt: (at: number) => number
}

/** From catch to market: where the box was and how cold, moving together. */
export function Journey({ readings, map, offsetAt }: Props) {
  return (
    <Panel title="Tracking map">
      {readings.length === 0 ? (
        <p className="text-slate">No readings of this box have come in yet.</p>
      ) : (
        <div className="grid gap-3">
          <TrackMap readings={readings} map={map} />
          <TemperatureStrip readings={readings} offsetAt={offsetAt} />
        </div>
      )}
    </Panel>
  )
}
