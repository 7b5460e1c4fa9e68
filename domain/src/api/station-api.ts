import { z } from 'zod'
import { schemaNames } from '../fields.ts'
import { rights } from '../rights.ts'

/** Who sends results of a station: a manager who is logged in, or a key of its own. */
export const StationView = z
  .strictObject({
    /** Of the key, or of the manager. */
    name: z.string(),
    /** Of the key; null: a manager. */
    rights: z.array(z.enum(rights)).nullable(),
    /** The boxes that the key is limited to; null: all. */
    boxes: z.array(z.string()).nullable(),
  })
  .register(schemaNames, { id: 'Station' })
export type StationView = z.infer<typeof StationView>

/** A box as a station has to know it: whether it is the one that lies there, and may still grow. */
export const StationBox = z
  .strictObject({
    boxID: z.string(),
    species: z.string(),
    trader: z.string(),
    /** RFC 3339; null: no catch is recorded. */
    caughtAt: z.string().nullable(),
    sealed: z.boolean(),
    /** Results that it has. */
    images: z.int(),
    enoses: z.int(),
  })
  .register(schemaNames, { id: 'StationBox' })
export type StationBox = z.infer<typeof StationBox>
