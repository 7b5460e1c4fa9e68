import { z } from 'zod'
import { BoxID } from './box-values.ts'
import { line, schemaNames } from './fields.ts'
import { keyRights, type Right } from './rights.ts'

/** A list of some of these rights, each once, in the order in which they are told. */
export const rightsAmong = <Known extends Right>(known: readonly Known[]) =>
  z
    .array(z.enum(known, { error: `right must be one of ${known.join(', ')}` }), {
      error: 'rights must be a list',
    })
    .min(1, 'rights are required')
    .max(100, 'rights must be at most 100')
    .transform((list) => known.filter((right) => list.includes(right)))

/** A new API key: its name, its rights, and the boxes that it may access (none given: all). */
export const NewApiKey = z.object({
  name: line('name', 80),
  rights: rightsAmong(keyRights),
  boxes: z.array(BoxID).min(1, 'name a box, or leave boxes out for all').max(1_000).nullish(),
})
export type NewApiKey = z.infer<typeof NewApiKey>

/** A key as managers see it; the key itself is shown once, when it is created. Times are RFC 3339. */
export const ApiKeyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    rights: z.array(z.enum(keyRights)),
    boxes: z.array(z.string()).nullable(),
    /** Name of its creator; null: the shop itself, for its own command-line tools. */
    madeBy: z.string().nullable(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
  })
  .register(schemaNames, { id: 'ApiKey' })
export type ApiKeyView = z.infer<typeof ApiKeyView>
