import type { Place } from '@befaqt/domain/distance'
import { parseNumber } from '@befaqt/domain/typed-number'
import { useCallback, useEffect, useRef, useState } from 'react'
import { InputField } from '#web/components/field.tsx'
import { MapFrame } from '#web/features/box/map/map-frame.tsx'
import type { PickMap } from '#web/features/box/map/pick-map.ts'
import { typeInto } from '#web/forms/controls.ts'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useSite } from '#web/root-data.ts'

function placeOf(latitude: string, longitude: string): Place | null {
  const [north, east] = [parseNumber(latitude), parseNumber(longitude)]
  if (typeof north !== 'number' || typeof east !== 'number') return null
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { latitude: north, longitude: east } : null
}

/** A place as latitude and longitude, typed or picked on a map: what is picked counts as typed. */
export function PlacePicker({ errors }: { errors: FieldErrors }) {
  const [latitude, setLatitude] = useState('')
  const [longitude, setLongitude] = useState('')
  const [map, setMap] = useState<PickMap | null>(null)
  const [north, east] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const { tiles = null, attribution = null } = useSite()?.map ?? {}
  const draw = useCallback(
    async (element: HTMLElement) => {
      const { pickMap } = await import('#web/features/box/map/pick-map.ts')
      const onPick = (place: Place) => {
        if (north.current) typeInto(north.current, String(place.latitude))
        if (east.current) typeInto(east.current, String(place.longitude))
      }
      return pickMap(element, { tiles, attribution, onPick })
    },
    [tiles, attribution, north, east],
  )
  useEffect(() => map?.show(placeOf(latitude, longitude)), [map, latitude, longitude])
  return (
    <div className="grid gap-3">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <InputField
          ref={north}
          label="Latitude"
          name="latitude"
          inputMode="decimal"
          hint="degrees, south is negative"
          value={latitude}
          onChange={(event) => setLatitude(event.currentTarget.value)}
          error={errors.latitude}
        />
        <InputField
          ref={east}
          label="Longitude"
          name="longitude"
          inputMode="decimal"
          hint="degrees east"
          value={longitude}
          onChange={(event) => setLongitude(event.currentTarget.value)}
          error={errors.longitude}
        />
      </div>
      <MapFrame
        label="Map to pick the place of the catch"
        className="h-80"
        help="You can type the position above."
        draw={draw}
        onMap={setMap}
      />
      <p className="text-slate text-sm">
        Click or tap where the fish was caught. With the keyboard: arrows move the map, Enter picks its
        centre.
      </p>
    </div>
  )
}
