import type { ManagedBoxDetail } from '@befaqt/domain/api/manage-api'
import { kindsByAccount } from '@befaqt/domain/box-history'
import { and, eq, inArray } from 'drizzle-orm'
import { actorNames } from '#server/audit/actor-names.ts'
import { boxNotFound } from '#server/boxes/lock-box.ts'
import { readableRecord } from '#server/boxes/records/read-records.ts'
import type { Db } from '#server/db/client.ts'
import { records } from '#server/db/schema/boxes.ts'
import { findManagedBox } from './list-managed-boxes.ts'

/** One box as managers see it, with who made what is ours in its history. @throws ShopError `box.not_found` */
export async function managedBox(db: Db, boxID: string): Promise<ManagedBoxDetail> {
  const box = await findManagedBox(db, boxID)
  if (box === undefined) throw boxNotFound()
  const { seq, kind, body, recordHash } = records
  const ours = await db
    .select({ seq, kind, body, recordHash })
    .from(records)
    .where(and(eq(records.boxId, boxID), inArray(kind, kindsByAccount)))
  const makers = new Set(ours.flatMap((row) => readableRecord(row)?.by ?? []))
  return { ...box, makers: Object.fromEntries(await actorNames(db, [...makers])) }
}
