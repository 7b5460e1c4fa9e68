import * as endpoints from '@befaqt/domain/api/endpoints/managed-orders'
import { SlotFill, SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { CalendarDay, ClosedDayInput, SlotRuleInput } from '@befaqt/domain/slot-rules'
import type { FastifyInstance } from 'fastify'
import { parse } from '#server/http/errors.ts'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import type { SlotWriter } from '#server/orders/next-slots.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { slotPlan } from './fill-slots.ts'
import { addRule, closeDay, deleteRule, openDay, replaceRule } from './rules.ts'

const write = { access: { right: 'order:write', allBoxes: true }, limits: 'manage-write' } as const

export const slotRuleOperations = defineRoutes(endpoints, {
  readSlotPlan: {
    access: { right: 'order:read', allBoxes: true },
    limits: 'manage-read',
    summary: 'Weekly rules that make slots, and days without any.',
    responses: { 200: SlotPlan },
  },
  addSlotRule: {
    ...write,
    summary: 'Add a weekly rule and make its slots for the days ahead.',
    body: SlotRuleInput,
    responses: { 201: SlotFill },
  },
  replaceSlotRule: {
    ...write,
    summary: 'Replace a rule. Its slots to come follow, unless they have orders or were changed by hand.',
    body: SlotRuleInput,
    responses: { 200: SlotFill },
  },
  deleteSlotRule: {
    ...write,
    summary: 'Delete a rule with its slots to come, unless they have orders or were changed by hand.',
    responses: { 200: SlotFill },
  },
  closeDay: {
    ...write,
    summary: 'Close a day: rules make no slots on it.',
    body: ClosedDayInput,
    responses: { 201: SlotFill },
  },
  openDay: {
    ...write,
    summary: 'Open a closed day again.',
    responses: { 200: SlotFill },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const slotRuleReads = {
  readSlotPlan: slotPlan,
} satisfies Reads<typeof slotRuleOperations, Pick<OrderDeps, 'db' | 'now'>>

/** Weekly rules of slots, and closed days. */
export function slotRuleRoutes(app: FastifyInstance, deps: OrderDeps & SlotWriter): void {
  registerReads(app, slotRuleOperations, slotRuleReads, deps)
  registerRoute(app, slotRuleOperations.addSlotRule, ({ principal, body }) => addRule(deps, principal, body))
  registerRoute(app, slotRuleOperations.replaceSlotRule, ({ principal, params, body, request }) =>
    replaceRule(deps, principal, params.id, { ...body, version: expectedVersion(request, body.version) }),
  )
  registerRoute(app, slotRuleOperations.deleteSlotRule, ({ principal, params }) =>
    deleteRule(deps, principal, params.id),
  )
  registerRoute(app, slotRuleOperations.closeDay, ({ principal, body }) => closeDay(deps, principal, body))
  registerRoute(app, slotRuleOperations.openDay, ({ principal, params }) =>
    openDay(deps, principal, parse(CalendarDay, params.day)),
  )
}
