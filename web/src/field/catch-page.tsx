import type { FieldUser } from '@befaqt/domain/api/field-api'
import { useEffect, useState } from 'react'
import { Alert } from '#web/components/alert.tsx'
import { Button } from '#web/components/button.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { BoxField } from './parts/box-field.tsx'
import { newBoxNumber } from './parts/box-number.ts'
import { Choice } from './parts/choice.tsx'
import { smallPhoto } from './parts/photo.ts'
import { placeOf, positionText, usePosition } from './parts/position.ts'
import { SpeciesField } from './parts/species-field.tsx'
import { refusedFields, useEntry } from './parts/use-entry.ts'
import { useRemembered } from './parts/use-remembered.ts'
import type { Remembered } from './queue/database.ts'
import { remember } from './queue/user.ts'
import { go, paths } from './route.ts'

const methods = [
  ['Line', 'Line'],
  ['Net', 'Net'],
  ['Trawl', 'Trawl'],
  ['Trap', 'Trap'],
  ['Dive', 'Dive'],
  ['', 'Not said'],
] as const

/** Species, newest first, that are remembered. */
const MAX_RECENT = 8

type Props = { user: FieldUser; mend: string | null }

/** Records a catch, here and now. */
export default function CatchPage({ user, mend }: Props) {
  const remembered = useRemembered(user.userId)
  const form = useEntry(user, mend)
  if (remembered === null || form.mended === undefined) return <p className="py-8">Opening…</p>
  return <CatchForm user={user} form={form} remembered={remembered} />
}

function CatchForm({
  user,
  form,
  remembered,
}: {
  user: FieldUser
  form: ReturnType<typeof useEntry>
  remembered: Remembered
}) {
  const was = form.mended?.entry.kind === 'catch' ? form.mended.entry : null
  const [box, setBox] = useState(() => was?.box ?? newBoxNumber())
  const [species, setSpecies] = useState(was?.species ?? '')
  const [size, setSize] = useState(String(was?.size ?? ''))
  const [method, setMethod] = useState(was?.method ?? remembered.method)
  const [boat, setBoat] = useState(was?.boat ?? (remembered.boat || user.fisher.boat))
  const [note, setNote] = useState(was?.note ?? '')
  const [photo, setPhoto] = useState<Blob | null>(form.mended?.photo ?? null)
  const position = usePosition()
  const where = positionText(position)
  const errors = { ...refusedFields(form.mended), ...form.errors }
  const save = async (kept: Blob | null) => {
    const place = was
      ? { latitude: was.latitude, longitude: was.longitude, accuracy: was.accuracy }
      : placeOf(position)
    if (!(await form.save({ kind: 'catch', box, boat, species, size, method, note, ...place }, kept))) return
    const recent = [species, ...remembered.species.filter((name) => name !== species)].slice(0, MAX_RECENT)
    await remember(user.userId, { boat, method, species: recent })
    go(`${paths.home}?saved=${encodeURIComponent(box)}`)
  }
  return (
    <form
      aria-label="New catch"
      className="grid gap-6 pb-28"
      onSubmit={(event) => {
        event.preventDefault()
        void save(photo)
      }}
    >
      {form.mended?.problem && <Alert tone="warn">The shop refused this: {form.mended.problem}</Alert>}
      <SpeciesField
        value={species}
        onChange={setSpecies}
        recent={remembered.species}
        error={errors.species}
      />
      <BoxField
        value={box}
        onChange={setBox}
        error={errors.box}
        hint="Write this number on the box, or scan the label that it has."
      />
      <InputField
        label="Size (optional)"
        name="size"
        className="min-h-14 text-lg"
        value={size}
        onChange={(event) => setSize(event.currentTarget.value)}
        placeholder="45 cm"
        autoComplete="off"
        error={errors.size}
      />
      <Choice
        legend="Method"
        name="method"
        choices={methods}
        value={methods.find(([key]) => key === method)?.[0] ?? ''}
        onChange={setMethod}
      />
      <PhotoField photo={photo} onChange={setPhoto} error={errors['photo[0]'] ?? errors.photo} />
      <details>
        <summary className="link inline-flex min-h-11 items-center">
          {user.fisher.traderName}
          {boat && `, ${boat}`}: boat and note
        </summary>
        <div className="grid gap-4 pt-2">
          <InputField
            label="Boat"
            name="boat"
            value={boat}
            onChange={(event) => setBoat(event.currentTarget.value)}
            error={errors.boat}
          />
          <TextAreaField
            label="Note (optional)"
            name="note"
            rows={3}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            error={errors.note}
          />
        </div>
      </details>
      <div className="fixed inset-x-0 bottom-0 z-10 border-line border-t bg-ground px-4 pt-2 pb-4">
        <div className="mx-auto grid max-w-xl gap-2">
          {form.failure && <Alert tone="bad">{form.failure}</Alert>}
          <p role="status" className={`text-sm ${where.isGood ? 'text-good' : 'text-warn'}`}>
            {was ? 'Time and place stay as they were.' : `Now. ${where.text}.`.replace('..', '.')}
          </p>
          <div className="flex gap-2">
            <Button type="submit" variant="primary" className="min-h-14 grow text-lg" disabled={form.busy}>
              Save catch
            </Button>
            {form.failure && photo && (
              <Button variant="outline" className="min-h-14" onClick={() => void save(null)}>
                Without photo
              </Button>
            )}
          </div>
        </div>
      </div>
    </form>
  )
}

type PhotoProps = { photo: Blob | null; onChange: (photo: Blob | null) => void; error?: string | undefined }

/** A photo of the camera; shown small, so that one sees that it is there. */
function PhotoField({ photo, onChange, error }: PhotoProps) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (photo === null) return setUrl(null)
    const made = URL.createObjectURL(photo)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [photo])
  return (
    <div>
      <div className="flex items-center gap-3">
        <label className="flex min-h-14 grow items-center justify-center rounded-md border border-edge border-dashed bg-surface px-4 text-lg has-focus-visible:outline-2 has-focus-visible:outline-teal">
          <input
            type="file"
            accept="image/*"
            capture="environment"
            className="sr-only"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              event.target.value = ''
              if (file) void smallPhoto(file).then(onChange)
            }}
          />
          {photo ? 'Another photo' : 'Take a photo (optional)'}
        </label>
        {url && <img src={url} alt="Of this catch" className="size-14 rounded-md object-cover" />}
        {photo && (
          <Button variant="link" className="min-h-14" onClick={() => onChange(null)}>
            Remove
          </Button>
        )}
      </div>
      {error && <p className="mt-1 font-semibold text-bad text-sm">{error}</p>}
    </div>
  )
}
