import { asc, eq } from 'drizzle-orm'
import { atOnce, type PersonalData } from '#server/db/personal-data.ts'
import { fieldEntries, supplierLabels, suppliers } from '#server/db/schema/suppliers.ts'

/** What a supplier is known by, may register, and has sent by phone. Boxes and records are public. */
export const fieldData: readonly PersonalData[] = [
  atOnce('supplier', [suppliers], (db, userId) => {
    const { fisher, party, createdAt } = suppliers
    return db.select({ fisher, party, createdAt }).from(suppliers).where(eq(suppliers.userId, userId))
  }),
  atOnce('labels', [supplierLabels], (db, userId) => {
    const { prefix, digits, first, last, createdAt } = supplierLabels
    return db
      .select({ prefix, digits, first, last, createdAt })
      .from(supplierLabels)
      .where(eq(supplierLabels.userId, userId))
      .orderBy(asc(supplierLabels.createdAt), asc(supplierLabels.id))
  }),
  atOnce('sentByPhone', [fieldEntries], (db, userId) => {
    const { id, kind, boxId, at, deviceAt, receivedAt, late, accuracy, kept, refusedFor } = fieldEntries
    return db
      .select({ id, kind, boxId, at, deviceAt, receivedAt, late, accuracy, kept, refusedFor })
      .from(fieldEntries)
      .where(eq(fieldEntries.userId, userId))
      .orderBy(asc(fieldEntries.receivedAt), asc(fieldEntries.id))
  }),
]
