import { useState } from 'react'
import type { z } from 'zod'
import { useForm } from '#web/features/account/use-form.ts'
import type { EditedImage } from './edited-images.ts'
import type { Progress } from './send.ts'
import { useUnsaved } from './unsaved.tsx'

const FORM = 'add'

type Adding<Input extends object, Made> = {
  schema: z.ZodType<Input, unknown>
  /** How the pictures are called in refusals. */
  imagesName: string
  /** Said when there is no picture. Source: spec §5. */
  noImage: string
  create: (draft: Input & { images: readonly EditedImage[] }, onProgress: Progress) => Promise<Made>
  onCreated: (made: Made) => void
}

/** A form for something new with its pictures; empty again once that is made. */
export function useAddForm<Input extends object, Made>(adding: Adding<Input, Made>) {
  const [images, setImages] = useState<readonly EditedImage[]>([])
  const [sent, setSent] = useState<number | null>(null)
  const { mark } = useUnsaved()
  const add = async (input: Input) => {
    setSent(0)
    try {
      const made = await adding.create({ ...input, images }, setSent)
      form.formProps.ref.current?.reset()
      setImages([])
      mark(FORM, false)
      adding.onCreated(made)
    } finally {
      setSent(null)
    }
  }
  const rule = { name: adding.imagesName, message: adding.noImage, broken: images.length === 0 }
  const form = useForm(adding.schema, add, {}, rule)
  return {
    ...form,
    images,
    sent,
    touched: () => mark(FORM, true),
    setImages: (next: readonly EditedImage[]) => {
      setImages(next)
      mark(FORM, true)
    },
  }
}
