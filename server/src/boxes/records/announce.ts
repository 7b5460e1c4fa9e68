import { type SQL, sql } from 'drizzle-orm'

/** Notification that records were added to a box; the payload is its id. */
export const RECORDS_CHANNEL = 'records'

/**
 * For the `returning` of the statement that writes the rows of boxes which have grown: notifies every process when the
 * transaction commits, without a round trip of its own.
 * @param boxID the column with the id of each box
 */
export const announceRecords = (boxID: SQL): SQL => sql`pg_notify(${RECORDS_CHANNEL}, ${boxID})`
