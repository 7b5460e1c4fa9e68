import { MAX_PHOTOS } from '@befaqt/domain/complaint'
import { fileTooLarge, MAX_FILE_BYTES, MAX_FILE_MB } from '@befaqt/domain/upload-limits'
import { useId, useRef, useState } from 'react'
import { Button, buttonClass } from '#web/components/button.tsx'
import { FileThumbnail } from '#web/components/file-thumbnail.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'

export type Photo = { id: number; file: File }

/** Named one by one: phones then send their own format as JPEG, which the shop can read. */
const ACCEPTED = 'image/jpeg,image/png,image/webp,image/avif'

/** Why a file can't be sent, as far as a browser can tell; the shop looks into it. */
function errorOf({ name, type, size }: File): string | null {
  if (!ACCEPTED.split(',').includes(type)) return `${name} is not a JPEG, PNG, WebP or AVIF picture`
  if (size > MAX_FILE_BYTES) return fileTooLarge(name)
  return size === 0 ? `${name} is empty` : null
}

/** The photos with these after them, and why others are not among them. */
function withFiles(photos: readonly Photo[], files: readonly File[]): { photos: Photo[]; refused: string[] } {
  const good = files.filter((file) => errorOf(file) === null)
  const room = MAX_PHOTOS - photos.length
  const over = good.slice(room).map(({ name }) => `${name} is one too many: ${MAX_PHOTOS} at most`)
  const next = Math.max(0, ...photos.map(({ id }) => id)) + 1
  return {
    photos: [...photos, ...good.slice(0, room).map((file, i) => ({ id: next + i, file }))],
    refused: [...files.flatMap((file) => errorOf(file) ?? []), ...over],
  }
}

type Props = {
  photos: readonly Photo[]
  errors: FieldErrors
  onChange: (photos: readonly Photo[]) => void
}

/** Photos that are taken or chosen, seen, and taken away again before they are sent. */
export function PhotoChoice({ photos, errors, onChange }: Props) {
  const [refused, setRefused] = useState<readonly string[]>([])
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const take = (input: HTMLInputElement) => {
    const added = withFiles(photos, [...(input.files ?? [])])
    input.value = ''
    setRefused(added.refused)
    onChange(added.photos)
  }
  const remove = (at: number) => {
    onChange(photos.filter((_, i) => i !== at))
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll('button')
      const next = left?.[Math.min(at, left.length - 1)] ?? first.current
      next?.focus()
    })
  }
  const isFull = photos.length >= MAX_PHOTOS
  const of = (suffix: string) => ({
    id: `${id}-${suffix}`,
    type: 'file',
    accept: ACCEPTED,
    disabled: isFull,
    'aria-describedby': `${id}-hint ${id}-wrong`,
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => take(currentTarget),
    className: 'peer sr-only',
  })
  const label = buttonClass(
    'outline',
    'cursor-pointer peer-focus-visible:outline-3 peer-focus-visible:outline-teal peer-disabled:opacity-60',
  )
  return (
    <fieldset className="grid gap-3">
      <legend className="font-semibold">Photos (optional)</legend>
      <p id={`${id}-hint`} className="muted">
        Up to {MAX_PHOTOS}: JPEG, PNG, WebP or AVIF, {MAX_FILE_MB} MB at most each. Only you and the shop see
        them; where they were taken is removed.
      </p>
      <div className="flex flex-wrap gap-3">
        <span className="pointer-fine:hidden">
          <input ref={first} {...of('camera')} capture="environment" />
          <label htmlFor={`${id}-camera`} className={label}>
            Take a photo
          </label>
        </span>
        <span>
          <input {...of('files')} data-field="photos" multiple />
          <label htmlFor={`${id}-files`} className={label}>
            Choose photos
          </label>
        </span>
      </div>
      <ul ref={list} className="grid gap-3 empty:hidden sm:grid-cols-2">
        {photos.map(({ id: key, file }, i) => (
          <li
            key={key}
            className={`flex items-center gap-3 rounded-md border p-2 ${errors[`photos[${i}]`] ? 'border-2 border-bad' : 'border-line'}`}
          >
            <FileThumbnail file={file} />
            <span className="min-w-0 flex-1 text-sm wrap-anywhere">
              {file.name}
              {errors[`photos[${i}]`] && (
                <span className="block font-semibold text-bad">{errors[`photos[${i}]`]}</span>
              )}
            </span>
            <Button
              variant="link"
              aria-label={`Remove photo ${i + 1}, ${file.name}`}
              onClick={() => remove(i)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <div id={`${id}-wrong`} role="alert" className="font-semibold text-bad text-sm">
        {[...(errors.photos ? [errors.photos] : []), ...refused].map((message) => (
          <p key={message} className="wrap-anywhere">
            {message}
          </p>
        ))}
      </div>
    </fieldset>
  )
}
