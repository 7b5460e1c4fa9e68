import type { ImageView } from '@befaqt/domain/catalogue'
import { MAX_FILE_MB, MAX_IMAGES } from '@befaqt/domain/upload-limits'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Progress } from '#web/api/upload.ts'
import { buttonClass } from '#web/components/button.tsx'
import { Picture } from '#web/components/picture.tsx'
import type { FieldErrors } from '#web/forms/field-errors.ts'
import { useForm } from '#web/forms/use-form.ts'
import { addFiles, type EditedImage, moved } from './edited-images.ts'
import { ImageItem } from './image-item.tsx'
import { type TypedProps, useTyped } from './typed.tsx'

type Props = {
  label: string
  /** Name of the field in refusals: `productImages[1]` is the second new file. */
  name: string
  images: readonly EditedImage[]
  many: boolean
  errors: FieldErrors
  /** How many new files were chosen before the page was loaded anew: they can't be kept. */
  lost: number
  onChange: (images: readonly EditedImage[]) => void
}

/** Hands the focus of a picture that is removed on to the next one, or to the choice of files. */
function useFocusAfterPicture(images: readonly EditedImage[], input: { current: HTMLInputElement | null }) {
  const list = useRef<HTMLOListElement>(null)
  const removed = useRef<{ at: number; from: readonly EditedImage[] } | null>(null)
  useEffect(() => {
    if (!removed.current || removed.current.from === images) return
    const { at } = removed.current
    removed.current = null
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? []
    const next = buttons[Math.min(at, buttons.length - 1)] ?? input.current
    next?.focus()
  })
  const removing = (at: number) => {
    removed.current = { at, from: images }
  }
  return { list, removing }
}

/** Pictures of a product or category: chosen or dropped, seen, put in order, described, taken away. */
export function ImagesField({ label, name, images, many, errors, lost, onChange }: Props) {
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const [statusMessage, setStatusMessage] = useState('')
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
    setStatusMessage(
      `Picture is now number ${Math.min(images.length, Math.max(1, to + 1))} of ${images.length}`,
    )
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files)
  }
  const { list, removing } = useFocusAfterPicture(images, input)
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
              'outline',
              'cursor-pointer peer-focus-visible:outline-3 peer-focus-visible:outline-teal',
            )}
          >
            {many ? 'Choose pictures' : images.length > 0 ? 'Choose another picture' : 'Choose a picture'}
          </label>
          <p id={`${id}-hint`} className="muted">
            or drop {many ? `them here; up to ${MAX_IMAGES}, the first one is the cover` : 'one here'}. JPEG,
            PNG, WebP or AVIF, {MAX_FILE_MB} MB at most.
          </p>
        </div>
        {images.length > 0 && (
          <ol ref={list} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
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
                onRemove={() => {
                  removing(at)
                  onChange(images.filter((other) => other !== image))
                }}
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
        {lost > 0 && (
          <p>
            {lost === 1 ? 'A picture was' : `${lost} pictures were`} not sent before this page was loaded
            anew. Choose {lost === 1 ? 'it' : 'them'} again.
          </p>
        )}
        {refused.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      <p aria-live="polite" className="sr-only">
        {statusMessage}
      </p>
    </fieldset>
  )
}

/** The first picture of a row, small; its title stands beside it. */
export const Thumbnail = ({ image }: { image: ImageView | null | undefined }) => (
  <span className="block aspect-square w-14 shrink-0 overflow-hidden rounded-sm bg-ice">
    {image && <Picture image={image} alt="" sizes="3.5rem" className="size-full object-cover" />}
  </span>
)

/** What a form with pictures holds. */
export type WithImages<Input> = Input & { images: readonly EditedImage[] }

type FormProps<Input extends object> = {
  schema: z.ZodType<Input, unknown>
  start: { images: readonly EditedImage[] }
  /** How the pictures are called in refusals. */
  imagesName: string
  /** Shown when there has to be a picture and is none; null: there may be none. Source: spec §5. */
  noImage: string | null
  /** Rejects with what the shop refused. */
  onSave: (values: WithImages<Input>, onProgress: Progress) => Promise<void>
  onDirty: (dirty: boolean) => void
} & TypedProps

/** A form of fields and pictures; as it began once what it holds is saved. */
export function usePictureForm<Input extends object>(props: FormProps<Input>) {
  const { schema, start, imagesName, noImage, onSave, onDirty, typed } = props
  const [images, setImages] = useState(typed?.images ?? start.images)
  const [lost, setLost] = useState(typed?.lost ?? 0)
  const [progress, setProgress] = useState<number | null>(null)
  const rule = { name: imagesName, message: noImage ?? '', broken: noImage !== null && images.length === 0 }
  const send = async (input: Input) => {
    setProgress(0)
    try {
      await onSave({ ...input, images }, setProgress)
    } finally {
      setProgress(null)
    }
    form.reset()
    setImages(start.images)
    setLost(0)
    onDirty(false)
  }
  const form = useForm(schema, send, {}, rule)
  const tell = useTyped(form.formProps.ref, props, images, lost)
  return {
    ...form,
    images,
    /** How many pictures were chosen before the page was loaded anew, and have to be chosen again. */
    lost,
    /** Part of what is being sent that has left, 0 to 1; null while nothing is. */
    progress,
    formProps: {
      ...form.formProps,
      onChange: () => {
        onDirty(true)
        tell()
      },
    },
    setImages: (next: readonly EditedImage[]) => {
      setImages(next)
      if (next.some(({ file }) => file !== null)) setLost(0)
      onDirty(true)
    },
  }
}
