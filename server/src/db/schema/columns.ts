import { timestamp } from 'drizzle-orm/pg-core'

/** A point in time, set to now by the database unless given. */
export const moment = () => timestamp({ withTimezone: true }).notNull().defaultNow()
