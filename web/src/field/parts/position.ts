import { useEffect, useState } from 'react'

/** Where this phone is, or why that is not known. */
export type Position =
  | { state: 'asking' }
  | { state: 'known'; latitude: number; longitude: number; accuracy: number }
  | { state: 'denied' | 'unavailable' }

/** Worse than this says little of a fishing ground, in metres. */
const COARSE_M = 500

/** Follows the position while a form is open: the newest is the best. */
export function usePosition(): Position {
  const [position, setPosition] = useState<Position>({ state: 'asking' })
  useEffect(() => {
    if (!('geolocation' in navigator)) return setPosition({ state: 'unavailable' })
    const watch = navigator.geolocation.watchPosition(
      ({ coords: { latitude, longitude, accuracy } }) =>
        setPosition({ state: 'known', latitude, longitude, accuracy }),
      ({ code, PERMISSION_DENIED }) =>
        setPosition((last) =>
          last.state === 'known' ? last : { state: code === PERMISSION_DENIED ? 'denied' : 'unavailable' },
        ),
      { enableHighAccuracy: true, maximumAge: 30_000, timeout: 60_000 },
    )
    return () => navigator.geolocation.clearWatch(watch)
  }, [])
  return position
}

/** As an entry has it: 0, 0 is no position. */
export const placeOf = (position: Position) =>
  position.state === 'known'
    ? {
        latitude: Number(position.latitude.toFixed(6)),
        longitude: Number(position.longitude.toFixed(6)),
        accuracy: Math.round(position.accuracy),
      }
    : { latitude: 0, longitude: 0, accuracy: null }

const metres = (m: number): string => (m < 1000 ? `${Math.round(m)} m` : `${(m / 1000).toFixed(1)} km`)

/** What is known of the position, and how well. */
export function positionText(position: Position): { text: string; isGood: boolean } {
  if (position.state === 'known') {
    const isGood = position.accuracy <= COARSE_M
    const near = metres(position.accuracy)
    return { text: `Position known ${isGood ? '' : 'only '}to ${near}.`, isGood }
  }
  const texts = {
    asking: 'Looking for the position…',
    denied: 'No position: location is not allowed for this page. It is recorded without.',
    unavailable: 'No position: this phone can’t tell. It is recorded without.',
  }
  return { text: texts[position.state], isGood: false }
}
