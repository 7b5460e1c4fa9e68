import type { z } from 'zod'

/**
 * An editable field: the schema of its input, the default of a new entity (without one the field is required), and the
 * schema in responses. Stored values are returned as they are, so `shown` has no limits.
 */
export type EditedField = { typed: z.ZodType; initial?: unknown; shown: z.ZodType }
type Fields = Readonly<Record<string, EditedField>>

type Input<Field extends EditedField> = Field extends { initial: unknown }
  ? z.ZodDefault<Field['typed']>
  : Field['typed']

const mapped = <Made>(fields: Fields, make: (field: EditedField) => z.ZodType): Made =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field)])) as Made

/** The input shape of a new entity. */
export const inputShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Input<Of[Name]> } =>
  mapped(fields, ({ typed, initial }) => (initial === undefined ? typed : typed.default(initial)))

/** The input shape of a change, without defaults. Make its object partial. */
export const patchShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Of[Name]['typed'] } =>
  mapped(fields, ({ typed }) => typed)

/** The shape in responses. */
export const viewShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Of[Name]['shown'] } =>
  mapped(fields, ({ shown }) => shown)

/** A new thing before anything is typed. @param required the fields that have no default, empty */
export const newValues = <Of extends Fields, Required extends object>(
  fields: Of,
  required: Required,
): Required & {
  [Name in keyof Of as Of[Name] extends { initial: unknown } ? Name : never]: z.infer<Of[Name]['typed']>
} =>
  Object.assign(
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, { initial }]) =>
        initial === undefined ? [] : [[name, initial]],
      ),
    ),
    required,
  ) as never
