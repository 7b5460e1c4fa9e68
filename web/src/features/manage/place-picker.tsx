import type { Place } from '@befaqt/domain/distance'
import { numberOf } from '@befaqt/domain/typed-number'
import { useEffect, useRef, useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Field } from '#web/components/field.tsx'
import { Spinner } from '#web/components/spinner.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useSite } from '#web/root-data.ts'
import type { PickMap } from './pick-map.ts'

/** Off the middle of the coast that most boats work. */
const OFF_THE_COAST: Place = { latitude: -31.5, longitude: 153 }

function placeOf(latitude: string, longitude: string): Place | null {
  const [north, east] = [numberOf(latitude), numberOf(longitude)]
  if (typeof north !== 'number' || typeof east !== 'number') return null
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { latitude: north, longitude: east } : null
}

function usePickMap(onPick: (place: Place) => void) {
  const element = useRef<HTMLElement>(null)
  const [map, setMap] = useState<PickMap | null>(null)
  const [failed, setFailed] = useState(false)
  const site = useSite()
  const { tiles = null, attribution = null } = site?.map ?? {}
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    const target = element.current
    if (!target) return
    const ground = target.appendChild(document.createElement('div'))
    ground.className = 'track-map absolute inset-0'
    let live: PickMap | null = null
    let gone = false
    import('./pick-map.ts')
      .then(({ pickMap }) =>
        pickMap(ground, {
          centre: OFF_THE_COAST,
          picked: null,
          tiles,
          attribution,
          onPick: (place) => pick.current(place),
        }),
      )
      .then((made) => {
        if (gone) return made.remove()
        live = made
        setMap(made)
      })
      .catch(() => !gone && setFailed(true))
    return () => {
      gone = true
      live?.remove()
      ground.remove()
    }
  }, [tiles, attribution])
  return { element, map, failed }
}

/** A place as latitude and longitude, typed or picked on a map. */
export function PlacePicker({ errors }: { errors: FieldErrors }) {
  const [latitude, setLatitude] = useState('')
  const [longitude, setLongitude] = useState('')
  const { element, map, failed } = usePickMap((place) => {
    setLatitude(String(place.latitude))
    setLongitude(String(place.longitude))
  })
  useEffect(() => map?.show(placeOf(latitude, longitude)), [map, latitude, longitude])
  return (
    <div className="grid gap-3">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label="Latitude"
          name="latitude"
          inputMode="decimal"
          hint="degrees, south is negative"
          value={latitude}
          onChange={(event) => setLatitude(event.currentTarget.value)}
          error={errors.latitude}
        />
        <Field
          label="Longitude"
          name="longitude"
          inputMode="decimal"
          hint="degrees east"
          value={longitude}
          onChange={(event) => setLongitude(event.currentTarget.value)}
          error={errors.longitude}
        />
      </div>
      {failed ? (
        <Alert tone="bad">Map cannot be loaded right now, sorry. The place can be typed above.</Alert>
      ) : (
        <section
          ref={element}
          aria-label="Map to pick the place of the catch"
          className="relative isolate h-80 w-full overflow-hidden rounded-lg border border-line bg-sea"
        >
          {!map && (
            <div className="absolute top-3 right-3 rounded-md bg-surface px-3 py-2">
              <Spinner label="Loading the map" />
            </div>
          )}
        </section>
      )}
      <p className="text-slate text-sm">
        Press on the map where the fish was caught. By keyboard: arrows move the map, Enter takes its middle.
      </p>
    </div>
  )
}
