import { MAX_ALT } from '@befaqt/domain/limits'
import { type DragEvent, useEffect, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'
import { Icon } from '#web/components/icon.tsx'
import type { EditedImage } from './edited-images.ts'

type Props = {
  image: EditedImage
  /** Its place among the others, counted from 0; null where there is only one. */
  place: { at: number; count: number } | null
  fault: string | undefined
  onAlt: (alt: string) => void
  onMove: (to: number) => void
  onRemove: () => void
  onDragStart: () => void
  onDragEnd: () => void
  onDropHere: () => void
}

/** The URL of the picture. A new file is held in the browser's memory only while it is shown. */
function useImageUrl({ file, src }: EditedImage): string | undefined {
  const [held, setHeld] = useState<string>()
  useEffect(() => {
    if (file === null) return
    const url = URL.createObjectURL(file)
    setHeld(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return file === null ? src : held
}

/** A picture of a form, small, with the text that says what it shows. */
export const ImagePreview = ({ image }: { image: EditedImage }) => (
  <span className="grid w-24 content-start gap-1 text-sm">
    <img src={useImageUrl(image)} alt="" className="aspect-square w-14 rounded-sm bg-ice object-cover" />
    {image.alt || 'no description'}
  </span>
)

/** One picture: seen, described, moved by dragging or by its buttons, removed. Its buttons keep the focus at the ends of the list. */
export function ImageItem({ image, place, fault, onAlt, onMove, onRemove, ...drag }: Props) {
  const label = place ? `picture ${place.at + 1}` : 'the picture'
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length > 0) return
    event.preventDefault()
    event.stopPropagation()
    drag.onDropHere()
  }
  return (
    <li
      draggable={place !== null}
      onDragStart={drag.onDragStart}
      onDragEnd={drag.onDragEnd}
      onDrop={drop}
      className={`grid grid-cols-[6rem_1fr] content-start gap-3 rounded-md border bg-ground p-2 ${fault ? 'border-2 border-bad' : 'border-line'}`}
    >
      <div className="relative">
        <img src={useImageUrl(image)} alt="" className="aspect-square w-24 rounded-sm bg-ice object-cover" />
        {place?.at === 0 && (
          <span className="absolute bottom-1 left-1 rounded-sm bg-night px-1.5 text-on-night text-xs">
            Cover
          </span>
        )}
      </div>
      <div className="flex flex-wrap content-start items-start gap-1">
        {place && (
          <>
            <Button
              variant="outline"
              className="px-2.5"
              aria-disabled={place.at === 0}
              aria-label={`Move ${label} forward`}
              onClick={() => place.at > 0 && onMove(place.at - 1)}
            >
              <Icon name="left" className="size-5" />
            </Button>
            <Button
              variant="outline"
              className="px-2.5"
              aria-disabled={place.at === place.count - 1}
              aria-label={`Move ${label} back`}
              onClick={() => place.at < place.count - 1 && onMove(place.at + 1)}
            >
              <Icon name="right" className="size-5" />
            </Button>
          </>
        )}
        <Button
          variant="outline"
          className="px-2.5"
          data-remove
          aria-label={`Remove ${label}`}
          onClick={onRemove}
        >
          <Icon name="trash" className="size-5" />
        </Button>
        {image.file && <p className="w-full min-w-0 muted wrap-anywhere">{image.name}</p>}
      </div>
      <div className="col-span-2 text-sm">
        <InputField
          label={`Alt text for ${label}`}
          maxLength={MAX_ALT}
          value={image.alt}
          error={fault}
          onChange={(event) => onAlt(event.currentTarget.value)}
        />
      </div>
    </li>
  )
}
