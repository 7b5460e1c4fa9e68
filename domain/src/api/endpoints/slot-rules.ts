import type { z } from 'zod'
import type { ClosedDayInput, SlotRuleInput } from '../../slot-rules.ts'
import { endpoint, types } from '../endpoint.ts'
import type { SlotFill, SlotPlan } from '../slot-rule-api.ts'

type Change = { body: z.input<typeof SlotRuleInput>; response: SlotFill }
type Close = { body: z.input<typeof ClosedDayInput>; response: SlotFill }

export const readSlotPlan = endpoint('GET', '/api/slot/plan', types<{ response: SlotPlan }>)
export const addSlotRule = endpoint('POST', '/api/slot/rule', types<Change>)
export const replaceSlotRule = endpoint('PUT', '/api/slot/rule/:id', types<Change>)
export const deleteSlotRule = endpoint('DELETE', '/api/slot/rule/:id', types<{ response: SlotFill }>)
export const closeDay = endpoint('POST', '/api/slot/closed-day', types<Close>)
export const openDay = endpoint('DELETE', '/api/slot/closed-day/:day', types<{ response: SlotFill }>)
