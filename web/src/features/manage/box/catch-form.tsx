import { addCatch } from '@befaqt/domain/api/endpoints/managed-boxes'
import { marketTime } from '@befaqt/domain/market-time'
import type { Place } from '@befaqt/domain/place'
import { speciesList } from '@befaqt/domain/species'
import { parseNumber } from '@befaqt/domain/typed-number'
import { useCallback, useEffect, useRef, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { useHydrated } from '#web/components/hydration.tsx'
import { MapFrame } from '#web/features/box/map/map-frame.tsx'
import type { PickMap } from '#web/features/box/map/pick-map.ts'
import { typeInto } from '#web/forms/controls.ts'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useForm } from '#web/forms/use-form.ts'
import { useKeptForm } from '#web/forms/use-kept-form.ts'
import { useSite } from '#web/root-data.ts'
import { useMarketZone } from '#web/time/time.tsx'
import { FailureBanner, FormActions } from '../form-parts.tsx'
import { CatchForm as Schema } from './box-forms.ts'

const METHODS = ['line', 'longline', 'trap', 'net', 'trawl', 'dive', 'hand']

type Props = { boxID: string; boat: string; onAdded: () => void }

/** Where, when and how the fish of a box was caught. */
export function CatchForm({ boxID, boat, onAdded }: Props) {
  const zone = useMarketZone()
  const hydrated = useHydrated()
  const form = useForm(Schema, async (body) => {
    await callApi(addCatch, { params: { boxID }, body })
    saved()
    onAdded()
  })
  const { onChange, saved } = useKeptForm({ name: 'catch', form })
  const { errors } = form
  return (
    <form {...form.formProps} onChange={onChange} aria-label="Add the catch" className="grid gap-4">
      {form.failure !== null && <FailureBanner error={form.failure} onDismiss={form.dismiss} />}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <InputField label="Species" name="species" list="species" autoComplete="off" error={errors.species} />
        <InputField
          label="Caught at"
          name="time"
          type="datetime-local"
          max={hydrated ? marketTime(Date.now(), zone).slice(0, 16).replace(' ', 'T') : undefined}
          hint={`market time, ${zone}`}
          error={errors.time}
        />
        <InputField label="Boat" name="boat" defaultValue={boat} error={errors.boat} />
        <InputField label="Method" name="method" list="methods" autoComplete="off" error={errors.method} />
        <InputField label="Size" name="size" hint="like 45 cm" error={errors.size} />
        <InputField label="Picture" name="img" hint="web address or path, may be empty" error={errors.img} />
      </div>
      <datalist id="species">
        {speciesList.map(({ slug, name }) => (
          <option key={slug} value={name} />
        ))}
      </datalist>
      <datalist id="methods">
        {METHODS.map((method) => (
          <option key={method} value={method} />
        ))}
      </datalist>
      <PlacePicker errors={errors} />
      <TextAreaField label="Note" name="note" rows={2} error={errors.note} />
      <FormActions ready={form.ready} busy={form.busy} save="Add catch" />
    </form>
  )
}

function placeOf(latitude: string, longitude: string): Place | null {
  const [north, east] = [parseNumber(latitude), parseNumber(longitude)]
  if (typeof north !== 'number' || typeof east !== 'number') return null
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { latitude: north, longitude: east } : null
}

/** A place as latitude and longitude, typed or picked on a map: what is picked counts as typed. */
function PlacePicker({ errors }: { errors: FieldErrors }) {
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
      <p className="muted">
        Click or tap where the fish was caught. With the keyboard: arrows move the map, Enter picks its
        centre.
      </p>
    </div>
  )
}
