import { z } from 'zod'
import { BoxID } from './box-values.ts'
import { line } from './text.ts'

/** What a key may do. Source: running.md 'Keys'. */
export const rights = ['box:write', 'record:write', 'shop:write', 'order:write', 'user:write'] as const
export type Right = (typeof rights)[number]

/** Key for a machine: what it is called, what it may do, and which boxes it may touch (none given: all). */
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

/** A key as managers see it; the key itself is shown once, when it is made. Moments are RFC 3339. */
export type ApiKeyView = {
  id: string
  name: string
  rights: Right[]
  boxes: string[] | null
  /** Name of who made it; null: the shop itself, for its own command-line tools. */
  madeBy: string | null
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}
