import { fulfilmentKinds } from '@befaqt/domain/order-states'
import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** Weekly rules that make slots for the days ahead. Dates are `YYYY-MM-DD`, times of day `HH:MM` of the rule's zone. */
export const slotRules = pgTable('slot_rules', {
  id: text().primaryKey(),
  kind: text({ enum: fulfilmentKinds }).notNull(),
  /** Monday 1 to Sunday 7. */
  weekdays: jsonb().$type<number[]>().notNull(),
  startsAt: text().notNull(),
  endsAt: text().notNull(),
  /** IANA zone. */
  timeZone: text().notNull(),
  /** Postcodes that it delivers to; null: it is for pick-up. */
  area: jsonb().$type<string[]>(),
  capacity: integer().notNull(),
  cutOffMinutes: integer().notNull(),
  version: integer().notNull().default(1),
  createdAt: moment(),
})

/** Slots of rules that somebody deleted: no rule makes them again. */
export const skippedSlots = pgTable(
  'skipped_slots',
  {
    ruleId: text()
      .notNull()
      .references(() => slotRules.id, { onDelete: 'cascade' }),
    day: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.ruleId, t.day] })],
)

/** Days on which no rule makes slots. */
export const closedDays = pgTable('closed_days', {
  day: text().primaryKey(),
  reason: text().notNull().default(''),
  createdAt: moment(),
})
