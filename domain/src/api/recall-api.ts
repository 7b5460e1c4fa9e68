import { z } from 'zod'
import { MAX_REASON } from '../limits.ts'
import { noticeStates } from '../recall.ts'
import { line } from '../text.ts'
import { BoxOrder } from './order-api.ts'
import { schemaNames } from './schema-names.ts'

/** The reason is part of the public history of the box. */
export const RecallInput = z.strictObject({ reason: line('reason', MAX_REASON) })

/** An order that was packed from a box, with how its buyer was notified of the recall. */
export const RecallOrder = BoxOrder.extend({
  notice: z.enum(noticeStates),
  /** Why the email was not delivered so far. */
  noticeError: z.string(),
}).register(schemaNames, { id: 'RecallOrder' })
export type RecallOrder = z.infer<typeof RecallOrder>

/** The recall of a box, or what it would be: whom it concerns, and who was reached. */
export const RecallView = z
  .strictObject({
    boxID: z.string(),
    /** Null: the box is not recalled. */
    recall: z
      .strictObject({
        reason: z.string(),
        at: z.string(),
        inHistory: z.boolean(),
        /** Name of who recalled it; null: unknown by now. */
        by: z.string().nullable(),
      })
      .nullable(),
    orders: z.array(RecallOrder),
  })
  .register(schemaNames, { id: 'Recall' })
export type RecallView = z.infer<typeof RecallView>
