import { z } from 'zod'
import { schemaNames } from './schema-names.ts'

/** What every refused call answers, as a schema: `ErrorBody` for tools. What else stands in it depends on the code. */
export const Problem = z
  .strictObject({
    error: z.looseObject({
      /** Stable; callers read this. */
      code: z.string(),
      /** For people. */
      message: z.string(),
      /** Refused fields; `path` is '' for the whole. */
      fields: z.array(z.strictObject({ path: z.string(), message: z.string() })).exactOptional(),
      /** Seconds to wait, as in Retry-After. */
      retryAfterS: z.number().exactOptional(),
    }),
  })
  .register(schemaNames, { id: 'Problem' })
