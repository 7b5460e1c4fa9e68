import type { Box } from '@befaqt/domain/box'
import { loadCoastline } from './load-coastline.ts'
import { boundsOf, drawSketch, type MapSketch, viewOf } from './map-sketch.ts'
import { trackedPlaces } from './readings.ts'

/** The still picture of a box's journey; null when it has no positions, or when the coastline can't be had. */
export async function loadSketch(box: Box, timeZone: string): Promise<MapSketch | null> {
  const track = trackedPlaces(box, timeZone)
  const view = viewOf(track)
  if (view === null) return null
  const coast = await loadCoastline(boundsOf(view)).catch(() => null)
  return coast && drawSketch(view, track, coast)
}
