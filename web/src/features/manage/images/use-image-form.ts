import { useState } from 'react'
import type { z } from 'zod'
import type { Progress } from '#web/api/upload.ts'
import { useForm } from '#web/forms/use-form.ts'
import { type TypedProps, useTyped } from '../list/use-typed.ts'
import type { EditedImage } from './edited-images.ts'

/** What a form with pictures holds. */
export type WithImages<Input> = Input & { images: readonly EditedImage[] }

type Props<Input extends object> = {
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
export function usePictureForm<Input extends object>(props: Props<Input>) {
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
