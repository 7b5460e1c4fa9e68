import { z } from 'zod'

/** Names of response schemas in the OpenAPI document: a named schema is a component that others refer to. */
export const schemaNames = z.registry<{ id: string }>()
