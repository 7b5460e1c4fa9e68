import { readStationBox } from '@befaqt/domain/api/endpoints/station'
import type { StationBox } from '@befaqt/domain/api/station-api'
import { BoxID } from '@befaqt/domain/box-values'
import { useEffect, useState } from 'react'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { BoxNumberField } from '#web/features/box/find/box-number-field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { Moment } from '#web/time/time.tsx'
import { withKey } from './station-store.ts'

type Props = {
  box: string
  onBox: (box: string) => void
  accessKey: string
  error: string | undefined
}

/** Milliseconds without a key until a typed number is looked up. */
const PAUSE_MS = 400

type Found = { of: string; box: StationBox | null; problem: string | null }

/** The box that lies here: typed or scanned, and what the shop knows of it, so that nobody adds to another one. */
export function BoxChoice({ box, onBox, accessKey, error }: Props) {
  const found = useBox(box, accessKey)
  return (
    <div className="grid gap-2">
      <BoxNumberField value={box} onChange={onBox} error={error} />
      <div role="status" className="min-h-7">
        {box !== '' && <BoxFound box={box} found={found} />}
      </div>
    </div>
  )
}

function BoxFound({ box, found }: { box: string; found: Found | null }) {
  if (!BoxID.safeParse(box).success) return null
  if (found?.of !== box) return <p className="text-slate">Looking for {box}…</p>
  if (found.box === null) return <p className="font-semibold text-bad">{found.problem}</p>
  const { species, trader, caughtAt, sealed, images, enoses } = found.box
  if (sealed)
    return <p className="font-semibold text-bad">This box is sealed: nothing can be added to it any more.</p>
  return (
    <p>
      <b className="font-semibold">{species || 'No catch yet'}</b>
      {trader && `, ${trader}`}
      {caughtAt && (
        <>
          , caught <Moment at={caughtAt} />
        </>
      )}
      <span className="block muted">
        Results so far: {images} of an e-eye, {enoses} of an e-nose
      </span>
    </p>
  )
}

/** What the shop says of a box, a moment after its number was typed. */
function useBox(box: string, accessKey: string): Found | null {
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    if (!BoxID.safeParse(box).success) return
    let isOld = false
    const ask = async () => {
      const answer = await callApi(readStationBox, { params: { boxID: box }, ...withKey(accessKey) }).then(
        (of) => ({ box: of, problem: null }),
        (error: unknown) => ({ box: null, problem: userMessage(error) }),
      )
      if (!isOld) setFound({ of: box, ...answer })
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [box, accessKey])
  return found
}

type PlaceFieldsProps = { latitude: string; longitude: string; errors: FieldErrors }

/** How long a device may look for its position. */
const TIMEOUT_MS = 15_000

/** Where the station is: remembered from the last time, typed, or from the device. */
export function PlaceFields({ errors, ...before }: PlaceFieldsProps) {
  const [place, setPlace] = useState(before)
  const [problem, setProblem] = useState<string | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const ask = () => {
    if (isAsking) return
    setIsAsking(true)
    setProblem(null)
    const options = { enableHighAccuracy: true, timeout: TIMEOUT_MS }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setPlace({ latitude: coords.latitude.toFixed(5), longitude: coords.longitude.toFixed(5) })
        setIsAsking(false)
      },
      ({ code, PERMISSION_DENIED }) => {
        setProblem(
          code === PERMISSION_DENIED
            ? 'This page may not use your position. Type it, or leave it blank.'
            : 'This device can’t tell where it is. Type it, or leave it blank.',
        )
        setIsAsking(false)
      },
      options,
    )
  }
  const field = (name: 'latitude' | 'longitude', label: string) => (
    <InputField
      label={label}
      name={name}
      value={place[name]}
      onChange={({ currentTarget: { value } }) => setPlace((before) => ({ ...before, [name]: value }))}
      error={errors[name]}
      autoComplete="off"
      inputMode="text"
    />
  )
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">Where the station is (optional)</legend>
      <div className="grid grid-cols-2 items-end gap-3 max-sm:*:last:col-span-2 sm:grid-cols-[1fr_1fr_auto]">
        {field('latitude', 'Latitude')}
        {field('longitude', 'Longitude')}
        <Button variant="outline" aria-busy={isAsking} onClick={ask}>
          {isAsking ? 'Asking…' : 'Use this device’s position'}
        </Button>
      </div>
      {problem && (
        <p role="status" className="mt-2 text-warn">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
