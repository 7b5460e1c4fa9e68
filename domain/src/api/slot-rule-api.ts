import { z } from 'zod'
import { schemaNames } from '../fields.ts'
import { fulfilmentKinds } from '../order-states.ts'

/** A weekly rule that makes slots. Days of the week are 1 (Monday) to 7, times of day `HH:MM` of its zone. */
export const SlotRule = z
  .strictObject({
    _id: z.string(),
    kind: z.enum(fulfilmentKinds),
    weekdays: z.array(z.int()),
    from: z.string(),
    to: z.string(),
    timeZone: z.string(),
    area: z.array(z.string()).nullable(),
    capacity: z.int(),
    cutOffMinutes: z.int(),
    version: z.int(),
  })
  .register(schemaNames, { id: 'SlotRule' })
export type SlotRule = z.infer<typeof SlotRule>

/** What slots are made from: rules, and days on which there are none. */
export const SlotPlan = z
  .strictObject({
    rules: z.array(SlotRule),
    closedDays: z.array(z.strictObject({ day: z.string(), reason: z.string() })),
  })
  .register(schemaNames, { id: 'SlotPlan' })
export type SlotPlan = z.infer<typeof SlotPlan>

/** What a change of rules did to future slots. `kept`: they have orders or were changed by hand, so they stay. */
export const SlotFill = z
  .strictObject({ made: z.int(), changed: z.int(), removed: z.int(), kept: z.int() })
  .register(schemaNames, { id: 'SlotFill' })
export type SlotFill = z.infer<typeof SlotFill>
