import { z } from 'zod'
import { BoxID } from './box-values.ts'
import { line, schemaNames } from './fields.ts'

/** Rights of an API key. Source: running.md 'Keys'. */
export const rights = [
  'box:write',
  'record:write',
  'shop:write',
  'order:write',
  'user:write',
  'device:write',
] as const
export type Right = (typeof rights)[number]

/** A new API key: its name, its rights, and the boxes that it may access (none given: all). */
export const NewApiKey = z.object({
  name: line('name', 80),
  rights: z
    .array(z.enum(rights, { error: `right must be one of ${rights.join(', ')}` }), {
      error: 'rights must be a list',
    })
    .min(1, 'rights are required')
    .transform((list) => rights.filter((right) => list.includes(right))),
  boxes: z.array(BoxID).min(1, 'name a box, or leave boxes out for all').max(1_000).nullish(),
})
export type NewApiKey = z.infer<typeof NewApiKey>

/** A key as managers see it; the key itself is shown once, when it is created. Times are RFC 3339. */
export const ApiKeyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    rights: z.array(z.enum(rights)),
    boxes: z.array(z.string()).nullable(),
    /** Name of its creator; null: the shop itself, for its own command-line tools. */
    madeBy: z.string().nullable(),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable(),
    revokedAt: z.string().nullable(),
  })
  .register(schemaNames, { id: 'ApiKey' })
export type ApiKeyView = z.infer<typeof ApiKeyView>
