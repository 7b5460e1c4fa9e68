import type { FieldUser } from '@befaqt/domain/api/field-api'
import { isOfLabels, isProposedNumber, newBoxNumber } from '@befaqt/domain/box-numbers'
import { parseNumber } from '@befaqt/domain/typed-number'
import { useEffect, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { Choice } from '#web/components/choice.tsx'
import { InputField, TextAreaField } from '#web/components/field.tsx'
import { BoxNumberField } from '#web/features/box/find/box-number-field.tsx'
import { dropDraft, storeDraft, storedDraft } from '#web/forms/stored-drafts.ts'
import type { Remembered } from '../database.ts'
import { EntryForm, useEntryForm } from '../parts/entry-form.tsx'
import { SpeciesField } from '../parts/species-field.tsx'
import { type OpenEntry, useEntry } from '../parts/use-entry.ts'
import { useQueue } from '../queue/queue.ts'
import { remember, useRemembered } from '../queue/user.ts'
import { goHomeSaved } from '../route.ts'

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
export function CatchPage({ user, mend }: Props) {
  const remembered = useRemembered(user.userId)
  const entry = useEntry(user, mend)
  if (remembered === null || entry.mended === undefined) return <p className="py-8">Opening…</p>
  return <CatchForm user={user} entry={entry} remembered={remembered} />
}

type FormProps = { user: FieldUser; entry: OpenEntry; remembered: Remembered }

function CatchForm({ user, entry, remembered }: FormProps) {
  const form = useEntryForm(entry, 'catch')
  const { was, errors, place } = form
  const { typed, change, saved } = useKept(`catch ${user.userId} ${entry.mended?.id ?? ''}`, () => ({
    box: was?.box ?? newBoxNumber(crypto.getRandomValues(new Uint32Array(8))),
    species: was?.species ?? '',
    size: String(was?.size ?? ''),
    weight: was?.grams === undefined ? '' : String(was.grams / 1_000),
    method: was?.method ?? remembered.method,
    boat: was?.boat ?? (remembered.boat || user.fisher.boat),
    note: was?.note ?? '',
  }))
  const { weight = '', ...said } = typed // a draft of an older version has none
  const { box, species, size, method, boat, note } = said
  const [photo, setPhoto] = useState<Blob | null>(entry.mended?.photo ?? null)
  const save = async (kept: Blob | null) => {
    if (!(await entry.save({ kind: 'catch', ...said, ...gramsIn(weight), ...place }, kept))) return
    saved()
    const recent = [species, ...remembered.species.filter((name) => name !== species)].slice(0, MAX_RECENT)
    await remember(user.userId, { boat, method, species: recent })
    goHomeSaved(box)
  }
  return (
    <EntryForm
      label="New catch"
      form={form}
      save="Save catch"
      beside={
        entry.failure &&
        photo && (
          <Button variant="outline" className="min-h-14" onClick={() => void save(null)}>
            Without photo
          </Button>
        )
      }
      onSave={() => save(photo)}
    >
      <SpeciesField
        value={species}
        onChange={(species) => change({ species })}
        recent={remembered.species}
        error={errors.species}
      />
      <BoxNumberField
        large
        value={box}
        onChange={(box) => change({ box })}
        error={errors.box}
        hint="Write this number on the box, or scan the label that it has."
      />
      <LabelNote user={user} box={box} onChange={(box) => change({ box })} />
      <InputField
        label="Size (optional)"
        name="size"
        className="min-h-14 text-lg"
        value={size}
        onChange={(event) => change({ size: event.currentTarget.value })}
        placeholder="45 cm"
        autoComplete="off"
        error={errors.size}
      />
      <InputField
        label="Net weight in kg (optional)"
        name="grams"
        className="min-h-14 text-lg"
        value={weight}
        onChange={(event) => change({ weight: event.currentTarget.value })}
        inputMode="decimal"
        placeholder="41.5"
        autoComplete="off"
        hint="What the scale shows without the box and the ice. No more can be sold of it than that."
        error={errors.grams}
      />
      <Choice
        large
        legend="Method"
        name="method"
        choices={methods}
        value={methods.find(([key]) => key === method)?.[0] ?? ''}
        onChange={(method) => change({ method })}
      />
      <PhotoField photo={photo} onChange={setPhoto} error={errors['photo[0]'] ?? errors.photo} />
      <details>
        <summary className="link tap">
          {user.fisher.traderName}
          {boat && `, ${boat}`}: boat and note
        </summary>
        <div className="grid gap-4 pt-2">
          <InputField
            label="Boat"
            name="boat"
            value={boat}
            onChange={(event) => change({ boat: event.currentTarget.value })}
            error={errors.boat}
          />
          <TextAreaField
            label="Note (optional)"
            name="note"
            rows={3}
            value={note}
            onChange={(event) => change({ note: event.currentTarget.value })}
            error={errors.note}
          />
        </div>
      </details>
    </EntryForm>
  )
}

/** Typed kilograms in grams, nothing where none were typed; NaN, which no schema takes, for what is no weight. */
function gramsIn(typed: string): { grams?: number } {
  if (typed.trim() === '') return {}
  const kilograms = parseNumber(typed.replace(/ ?kg$/i, ''))
  return { grams: typeof kilograms === 'number' ? Math.round(kilograms * 1_000) : Number.NaN }
}

type LabelProps = { user: FieldUser; box: string; onChange: (box: string) => void }

/** Which numbers of this supplier's labels are free, without those that wait on this phone; and what becomes of others. */
function LabelNote({ user: { userId, labels }, box, onChange }: LabelProps) {
  const { queue } = useQueue()
  const kept = (queue ?? [])
    .filter(({ owner, state, entry }) => owner === userId && state !== 'refused' && entry.kind === 'catch')
    .map(({ entry }) => entry.box)
  const isAllotted = labels.some((range) => isOfLabels(range, box))
  const next = labels.flatMap((range) => range.next).filter((number) => !kept.includes(number))
  const keptSince = labels.flatMap((range) => range.next).length - next.length
  const free = labels.reduce((sum, range) => sum + range.free, 0) - keptSince
  const [first] = next
  return (
    <div className="grid gap-2">
      {box !== '' && !isAllotted && !isProposedNumber(box) && (
        <p role="status" className="text-warn">
          <b className="font-mono">{box}</b> is neither of a label that was allotted to you nor a number of
          this page: the shop looks at this catch before it is recorded.
        </p>
      )}
      {first !== undefined && !isAllotted && (
        <div className="flex flex-wrap items-center gap-x-3">
          <Button variant="outline" className="min-h-14" onClick={() => onChange(first)}>
            Use label <span className="font-mono">{first}</span>
          </Button>
          <span className="text-slate">
            {free === 1 ? 'the last of your labels' : `${free} of your labels are free`}
          </span>
        </div>
      )}
      {labels.length > 0 && first === undefined && (
        <p className="text-slate">None of your labels is free: ask the shop for more.</p>
      )}
    </div>
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

/** The longer side of a photo as it is kept, in px, and its JPEG quality: 300 KB instead of 5 MB. */
const MAX_SIDE = 1600
const QUALITY = 0.8

/** A photo of the camera, small enough to wait on the phone and to be sent at sea. One that can't be read stays as it is. */
async function smallPhoto(file: File): Promise<Blob> {
  try {
    const picture = await createImageBitmap(file)
    const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    const small = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY))
    return small ?? file
  } catch {
    return file
  }
}

/**
 * What is typed into a form, kept by the tab until it is saved: phones end pages in the background, as when the camera
 * opens, and a box number may be on the box already.
 * @param name tells apart who types, and what
 */
function useKept<Typed extends object>(name: string, initial: () => Typed) {
  const [typed, setTyped] = useState(() => storedDraft<Typed>(name) ?? initial())
  useEffect(() => storeDraft(name, typed), [name, typed])
  return {
    typed,
    change: (news: Partial<Typed>) => setTyped((before) => ({ ...before, ...news })),
    /** What to do when it is on the disk. */
    saved: () => dropDraft(name),
  }
}
