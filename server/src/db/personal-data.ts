import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './client.ts'

/** What a feature holds of a person who has an account, as the copy of their data has it. */
export type PersonalData = {
  /** What it is called in the copy. */
  name: string
  /** The tables that it is read from. */
  of: readonly PgTable[]
  /** Reads it in parts, so that a long list is never in memory as a whole. */
  read(db: Db, userId: string): AsyncIterable<readonly object[]>
}

/** What is read at once. */
export const atOnce = (
  name: string,
  of: readonly PgTable[],
  read: (db: Db, userId: string) => Promise<readonly object[]>,
): PersonalData => ({
  name,
  of,
  read: async function* (db, userId) {
    yield await read(db, userId)
  },
})
