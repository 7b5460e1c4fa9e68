import { ShopError } from '@befaqt/domain/errors'
import type { z } from 'zod'

/** What is wrong with each field, by its name. */
export type FieldErrors = Readonly<Record<string, string>>

/** The first error of each field: one thing to put right at a time. */
function firstOfEach(errors: readonly (readonly [field: string, message: string])[]): FieldErrors {
  return Object.fromEntries(errors.toReversed())
}

/** What a schema refuses of these values. */
export const schemaErrors = (schema: z.ZodType, values: unknown): FieldErrors =>
  firstOfEach(
    (schema.safeParse(values).error?.issues ?? []).map(({ path, message }) => [
      String(path[0] ?? ''),
      message,
    ]),
  )

/** What the server refused, by field; nothing of any other failure. */
export const serverErrors = (error: unknown): FieldErrors =>
  error instanceof ShopError ? firstOfEach(error.fields.map(({ path, message }) => [path, message])) : {}

/** Whether an error is about a field: `data.size` and `productImages[1]` are about `size` and `productImages`. */
export const isAbout = (path: string, field: string): boolean =>
  path === field || path.endsWith(`.${field}`) || path.startsWith(`${field}[`)

/** The errors of all fields but this one. */
export const withoutField = (errors: FieldErrors, field: string): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !isAbout(path, field)))

/** The errors of these fields only. */
export const ofFields = (errors: FieldErrors, fields: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => fields.includes(field)))
