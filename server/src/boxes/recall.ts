import type { BoxRecall } from '@befaqt/domain/api/box-api'
import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { recalls } from '#server/db/schema/recalls.ts'
import type { BoxRow } from './records/read-records.ts'

/** What the public page of a box says of its recall; null: it is not recalled. */
export async function recallOf(db: Db, { recallId }: Pick<BoxRow, 'recallId'>): Promise<BoxRecall | null> {
  if (recallId === null) return null
  const [found] = await db.select().from(recalls).where(eq(recalls.id, recallId))
  return found ? { reason: found.reason, at: found.at, inHistory: found.seq !== null } : null
}
