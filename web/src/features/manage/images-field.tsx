import { type DragEvent, useId, useRef, useState } from 'react'
import { buttonClass } from '#web/components/button.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { addFiles, type EditedImage, MOST_IMAGES, moved } from './edited-images.ts'
import { ImageItem } from './image-item.tsx'

type Props = {
  label: string
  /** Name of the field in refusals: `productImages[1]` is the second new file. */
  name: string
  images: readonly EditedImage[]
  many: boolean
  errors: FieldErrors
  onChange: (images: readonly EditedImage[]) => void
}

/** Pictures of a product or category: chosen or dropped, seen, put in order, described, taken away. */
export function ImagesField({ label, name, images, many, errors, onChange }: Props) {
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const [said, setSaid] = useState('')
  const dragged = useRef<string | null>(null)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)

  const take = (files: Iterable<File>) => {
    const added = addFiles(images, [...files], many)
    setRefused(added.refused)
    if (added.images !== images) onChange(added.images)
    if (input.current) input.current.value = ''
  }
  const move = (key: string, to: number) => {
    onChange(moved(images, key, to))
    setSaid(`Picture is now number ${Math.min(images.length, Math.max(1, to + 1))} of ${images.length}`)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files)
  }
  const news = images.filter((image) => image.file !== null)
  const faultOf = (image: EditedImage) =>
    image.file === null ? undefined : errors[`${name}[${news.indexOf(image)}]`]

  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <section
        aria-label={`${label}, drop place`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(dragged.current === null)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={`grid gap-4 rounded-md border-2 border-dashed p-4 ${over ? 'border-teal bg-teal-ice' : 'border-edge bg-surface'}`}
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <input
            ref={input}
            id={id}
            data-field={name}
            type="file"
            accept="image/*"
            multiple={many}
            aria-describedby={`${id}-hint ${id}-wrong`}
            aria-invalid={errors[name] ? true : undefined}
            onChange={(event) => take(event.currentTarget.files ?? [])}
            className="peer sr-only"
          />
          <label
            htmlFor={id}
            className={buttonClass(
              'quiet',
              'cursor-pointer peer-focus-visible:outline-3 peer-focus-visible:outline-teal',
            )}
          >
            {many ? 'Choose pictures' : images.length > 0 ? 'Choose another picture' : 'Choose a picture'}
          </label>
          <p id={`${id}-hint`} className="text-slate text-sm">
            or drop {many ? `them here; up to ${MOST_IMAGES}, the first one is the cover` : 'one here'}. JPEG,
            PNG, WebP or AVIF, 10 MB at most.
          </p>
        </div>
        {images.length > 0 && (
          <ol className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {images.map((image, at) => (
              <ImageItem
                key={image.key}
                image={image}
                place={many ? { at, count: images.length } : null}
                fault={faultOf(image)}
                onAlt={(alt) =>
                  onChange(images.map((other) => (other === image ? { ...image, alt } : other)))
                }
                onMove={(to) => move(image.key, to)}
                onRemove={() => onChange(images.filter((other) => other !== image))}
                onDragStart={() => {
                  dragged.current = image.key
                }}
                onDragEnd={() => {
                  dragged.current = null
                }}
                onDropHere={() => {
                  if (dragged.current) move(dragged.current, at)
                }}
              />
            ))}
          </ol>
        )}
      </section>
      <div id={`${id}-wrong`} role="alert" className="font-semibold text-bad text-sm">
        {errors[name] && <p>{errors[name]}</p>}
        {refused.map((words) => (
          <p key={words}>{words}</p>
        ))}
      </div>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </fieldset>
  )
}
