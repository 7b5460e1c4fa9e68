import { z } from 'zod'
import { noticeStates } from '../box-history.ts'
import { line, schemaNames } from '../fields.ts'
import { MAX_REASON } from '../limits.ts'
import { orderStates } from '../order-states.ts'
import { BoxOrder, undecidedReasons } from './order-api.ts'

/** The reason is part of the public history of the box. */
export const RecallInput = z.strictObject({ reason: line('reason', MAX_REASON) })

/**
 * Takes a box off sale, or puts it back on sale. Only the shop's people see the reason. `since`: when whoever puts it back
 * took it off, as it was answered; where something else was decided since, it stays off.
 */
export const BoxSaleInput = z
  .strictObject({
    offSale: z.boolean('offSale must be true or false'),
    reason: line('reason', MAX_REASON).optional(),
    since: z.iso.datetime('since must be a time').optional(),
  })
  .refine(({ offSale, reason }) => !offSale || reason !== undefined, {
    path: ['reason'],
    error: 'reason is required',
  })
  .transform(({ reason = '', ...asked }) => ({ reason, ...asked }))
export type BoxSaleInput = z.infer<typeof BoxSaleInput>

/** Whether a box is off sale. */
export const BoxSaleView = z
  .strictObject({
    boxID: z.string(),
    /** Null: it is not off sale. `at`: RFC 3339; `by`: the name, null when unknown by now. */
    offSale: z
      .strictObject({ reason: z.string(), at: z.string().nullable(), by: z.string().nullable() })
      .nullable(),
    /** Recalled boxes are off sale as well, whatever `offSale` says. */
    recalled: z.boolean(),
  })
  .register(schemaNames, { id: 'BoxSale' })
export type BoxSaleView = z.infer<typeof BoxSaleView>

/** What taking a box off sale answers, or putting it back. `changed`: false where it was so already. */
export const BoxSaleChange = BoxSaleView.extend({ changed: z.boolean() }).register(schemaNames, {
  id: 'BoxSaleChange',
})
export type BoxSaleChange = z.infer<typeof BoxSaleChange>

/** An order that was packed from a box, with how its buyer was notified of the recall. */
export const RecallOrder = BoxOrder.extend({
  notice: z.enum(noticeStates),
  /** Why the email was not delivered so far. */
  noticeError: z.string(),
}).register(schemaNames, { id: 'RecallOrder' })
export type RecallOrder = z.infer<typeof RecallOrder>

/** An order that waits for a decision, with the lines in question. */
const UndecidedOrder = z
  .strictObject({
    _id: z.string(),
    number: z.string(),
    status: z.enum(orderStates),
    lines: z.array(z.strictObject({ title: z.string(), why: z.enum(undecidedReasons) })),
  })
  .register(schemaNames, { id: 'UndecidedOrder' })
export type UndecidedOrder = z.infer<typeof UndecidedOrder>

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
    /**
     * Orders in the shop about which somebody has to decide: what was packed from this box, and placed ones of which not
     * enough is left without it. While it is not recalled: as if it were.
     */
    toDecide: z.array(UndecidedOrder),
    /** Copies of its pages outside the shop could not be cleared yet; it is tried again until they are gone. */
    copiesLate: z.literal(true).exactOptional(),
  })
  .register(schemaNames, { id: 'Recall' })
export type RecallView = z.infer<typeof RecallView>
