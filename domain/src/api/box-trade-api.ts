import { z } from 'zod'
import { schemaNames } from './schema-names.ts'

/** What a box's documents for the trade lack, in plain words. */
export const TradeView = z
  .strictObject({
    /** What the code on its label holds. */
    address: z.string(),
    /** Its number as a logistic unit; null without a company prefix. */
    sscc: z.string().nullable(),
    events: z.int(),
    lacking: z.array(
      z.strictObject({ step: z.string(), isRecorded: z.boolean(), words: z.array(z.string()) }),
    ),
  })
  .register(schemaNames, { id: 'TradeView' })
export type TradeView = z.infer<typeof TradeView>
