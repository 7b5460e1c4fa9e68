import { z } from 'zod'
import { schemaNames } from './schema-names.ts'

/** Schema of the body of every error response, `ErrorBody`. Further fields depend on the code. */
export const Problem = z
  .strictObject({
    error: z.looseObject({
      /** Stable, for programs. */
      code: z.string(),
      /** For people. */
      message: z.string(),
      /** Invalid fields; `path` is '' for the whole body. */
      fields: z.array(z.strictObject({ path: z.string(), message: z.string() })).exactOptional(),
      /** Seconds to wait, as in Retry-After. */
      retryAfterS: z.number().exactOptional(),
    }),
  })
  .register(schemaNames, { id: 'Problem' })
