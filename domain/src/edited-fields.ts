import type { z } from 'zod'

/**
 * A field that people edit: the rule for what is typed, what a new thing has where nothing was typed (without it the
 * field is required), and what is answered. Stored values are shown as they are, so `shown` has no limits.
 */
export type EditedField = { typed: z.ZodType; initial?: unknown; shown: z.ZodType }
type Fields = Readonly<Record<string, EditedField>>

type Input<Field extends EditedField> = Field extends { initial: unknown }
  ? z.ZodDefault<Field['typed']>
  : Field['typed']

const mapped = <Made>(fields: Fields, make: (field: EditedField) => z.ZodType): Made =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field)])) as Made

/** The shape of a new thing as it is typed. */
export const inputShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Input<Of[Name]> } =>
  mapped(fields, ({ typed, initial }) => (initial === undefined ? typed : typed.default(initial)))

/** The shape of a change, in which what is left out has no default. Make the object of it partial. */
export const patchShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Of[Name]['typed'] } =>
  mapped(fields, ({ typed }) => typed)

/** The shape of what is answered. */
export const viewShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Of[Name]['shown'] } =>
  mapped(fields, ({ shown }) => shown)
