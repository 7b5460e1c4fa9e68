import { z } from 'zod'

/** What schemas of answers are called in the API's document: one that stands here is described once and referred to. */
export const schemaNames = z.registry<{ id: string }>()
