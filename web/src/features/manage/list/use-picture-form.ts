import { useState } from 'react'
import type { z } from 'zod'
import { useForm } from '#web/forms/use-form.ts'
import type { EditedImage } from '../edited-images.ts'
import type { Progress } from '../send.ts'

/** What a form with pictures holds. */
export type WithImages<Input> = Input & { images: readonly EditedImage[] }

type Props<Input extends object> = {
  schema: z.ZodType<Input, unknown>
  start: { images: readonly EditedImage[] }
  /** How the pictures are called in refusals. */
  imagesName: string
  /** Said when there has to be a picture and is none; null: there may be none. Source: spec §5. */
  noImage: string | null
  /** Rejects with what the shop refused. */
  onSave: (values: WithImages<Input>, onProgress: Progress) => Promise<void>
  onDirty: (dirty: boolean) => void
}

/** A form of fields and pictures; as it began once what it holds is saved. */
export function usePictureForm<Input extends object>(props: Props<Input>) {
  const { schema, start, imagesName, noImage, onSave, onDirty } = props
  const [images, setImages] = useState(start.images)
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
    onDirty(false)
  }
  const form = useForm(schema, send, {}, rule)
  return {
    ...form,
    images,
    /** Part of what is being sent that has left, 0 to 1; null while nothing is. */
    progress,
    formProps: { ...form.formProps, onChange: () => onDirty(true) },
    setImages: (next: readonly EditedImage[]) => {
      setImages(next)
      onDirty(true)
    },
  }
}
