import { z } from 'zod'
import { FreshnessNow } from './box-api.ts'
import { schemaNames } from './schema-names.ts'

/**
 * A box of an order as it was when it was sold, or as it is while the order is not packed. Of lines that no box is packed
 * for yet, the box that cards show: another one may be packed. Times are RFC 3339; null: not known.
 */
export const OrderBox = z
  .strictObject({
    boxID: z.string(),
    /** When it was sold; null: not yet. */
    soldAt: z.string().nullable(),
    species: z.string(),
    /** As of then, or as of now. */
    freshness: FreshnessNow,
    /** Of its readings by then. Null without any, and where nothing may be said of the box. */
    coldChain: z.enum(['cold', 'warmed', 'silent']).nullable(),
    /** Positions of the lines that it would be packed for, as things stand; empty: it is packed. */
    expectedFor: z.array(z.int()),
  })
  .register(schemaNames, { id: 'OrderBox' })
export type OrderBox = z.infer<typeof OrderBox>
