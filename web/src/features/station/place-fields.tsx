import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'

type Props = { latitude: string; longitude: string; errors: FieldErrors }

/** How long a device may look for its position. */
const TIMEOUT_MS = 15_000

/** Where the station is: remembered from the last time, typed, or from the device. */
export function PlaceFields({ errors, ...before }: Props) {
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
