import { type ReactNode, useEffect, useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import type { Draft } from '../database.ts'
import { type OpenEntry, refusedFields } from './use-entry.ts'

const isOf = <Kind extends Draft['kind']>(
  entry: Draft | undefined,
  kind: Kind,
): entry is Extract<Draft, { kind: Kind }> => entry?.kind === kind

/** What a form of this kind begins with, what is wrong with its fields, and where it is made: a mended entry stays where it was. */
export function useEntryForm<Kind extends Draft['kind']>(entry: OpenEntry, kind: Kind) {
  const mended = entry.mended?.entry
  const was = isOf(mended, kind) ? mended : null
  const position = usePosition()
  const { text, isGood } = positionText(position)
  const now = kind === 'reading' ? text : `Now. ${text}` // a reading is of when the tag was heard
  return {
    entry,
    was,
    errors: { ...refusedFields(entry.mended), ...entry.errors },
    place: was
      ? { latitude: was.latitude, longitude: was.longitude, accuracy: was.accuracy }
      : placeOf(position),
    where: { text: was ? 'Time and place stay as they were.' : now, isGood },
  }
}

type Props = {
  label: string
  form: Pick<ReturnType<typeof useEntryForm>, 'entry' | 'where'>
  save: string
  /** There is something to save. */
  ready?: boolean
  /** Stands beside the button. */
  beside?: ReactNode
  onSave: () => Promise<void>
  children: ReactNode
}

/** The form of an entry, with its button, time and place always in sight. */
export const EntryForm = ({ label, form, save, ready = true, beside, onSave, children }: Props) => (
  <form
    aria-label={label}
    className="grid gap-6 pb-28"
    onSubmit={(event) => {
      event.preventDefault()
      void onSave()
    }}
  >
    {form.entry.mended?.problem && (
      <Alert tone="warn">The shop refused this: {form.entry.mended.problem}</Alert>
    )}
    {children}
    <div className="fixed inset-x-0 bottom-0 z-10 border-line border-t bg-ground px-4 pt-2 pb-4">
      <div className="mx-auto grid max-w-xl gap-2">
        {form.entry.failure && <Alert tone="bad">{form.entry.failure}</Alert>}
        <p role="status" className={`text-sm ${form.where.isGood ? 'text-good' : 'text-warn'}`}>
          {form.where.text}
        </p>
        <div className="flex gap-2">
          <Button
            type="submit"
            variant={ready ? 'primary' : 'outline'}
            className="min-h-14 grow text-lg"
            disabled={!ready}
            aria-busy={form.entry.busy}
          >
            {save}
          </Button>
          {beside}
        </div>
      </div>
    </div>
  </form>
)

/** Where this phone is, or why that is not known. */
type Position =
  | { state: 'asking' }
  | { state: 'known'; latitude: number; longitude: number; accuracy: number }
  | { state: 'denied' | 'unavailable' }

/** Worse than this says little of a fishing ground, in metres. */
const COARSE_M = 500

/** Follows the position while a form is open: the newest is the best. */
function usePosition(): Position {
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
const placeOf = (position: Position) =>
  position.state === 'known'
    ? {
        latitude: Number(position.latitude.toFixed(6)),
        longitude: Number(position.longitude.toFixed(6)),
        accuracy: Math.round(position.accuracy),
      }
    : { latitude: 0, longitude: 0, accuracy: null }

const metres = (m: number): string => (m < 1000 ? `${Math.round(m)} m` : `${(m / 1000).toFixed(1)} km`)

/** What is known of the position, and how well. */
function positionText(position: Position): { text: string; isGood: boolean } {
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
