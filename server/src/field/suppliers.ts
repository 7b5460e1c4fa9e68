import type { FieldUser, SupplierList } from '@befaqt/domain/api/field-api'
import { ShopError } from '@befaqt/domain/errors'
import { partyOf, type SupplierIdentity } from '@befaqt/domain/supplier'
import { asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { fieldEntries, invitations, suppliers } from '#server/db/schema/suppliers.ts'
import type { Principal } from '#server/identity/principal.ts'
import { freeLabels, labelsOf } from './allot-labels.ts'
import { waitingClaims } from './decide-claim.ts'
import { invitationView } from './invite-supplier.ts'
import { openPhoneLinks, phonesOf } from './phones.ts'

export type SupplierRow = typeof suppliers.$inferSelect

/** Suppliers, and as many invitations and links of phones, that managers are shown: the newest. */
const MAX_LISTED = 500
/** Names of parties that a phone is offered. */
const MAX_PARTIES = 500

/** @throws ShopError `conflict` for an account of which nothing is known that records of suppliers need */
export async function supplierOf(db: Db | Tx, userId: string): Promise<SupplierRow> {
  const [found] = await db.select().from(suppliers).where(eq(suppliers.userId, userId))
  if (found === undefined)
    throw new ShopError('conflict', 'The shop does not know who you are in records. Ask to be invited again.')
  return found
}

/** What a phone remembers of its user. */
export async function fieldUser(
  deps: { db: Db; siteFile: { market: { name: string } } },
  { userId, fname }: { userId: string; fname: string },
): Promise<FieldUser> {
  const { fisher, party } = await supplierOf(deps.db, userId)
  const others = await deps.db
    .selectDistinct({ party: suppliers.party })
    .from(suppliers)
    .innerJoin(users, eq(users.id, suppliers.userId))
    .where(eq(users.status, 'ACTIVE'))
    .orderBy(asc(suppliers.party))
    .limit(MAX_PARTIES)
  const names = [deps.siteFile.market.name, ...others.map((other) => other.party)]
  const parties = [...new Set(names)].filter((name) => name !== party)
  const [phones, labels] = [await phonesOf(deps.db, userId), await freeLabels(deps.db, userId)]
  return { userId, fname, fisher, party, parties, phones, labels }
}

/** All suppliers, open invitations and links of phones, newest first. */
export async function listSuppliers({ db, now }: { db: Db; now: () => Date }): Promise<SupplierList> {
  const entriesOf = sql`from ${fieldEntries} where ${fieldEntries.userId} = ${users.id}`
  const found = await db
    .select({
      user: users,
      fisher: suppliers.fisher,
      boxes: sql<number>`(select count(*)::int from ${boxes} where ${boxes.supplierId} = ${users.id})`,
      lastEntryAt: sql<string | null>`(select to_json(max(${fieldEntries.receivedAt})) ${entriesOf})`,
      flagged: sql<number>`(select count(*)::int ${entriesOf} and (${fieldEntries.late} or ${fieldEntries.clockWrong}))`,
    })
    .from(suppliers)
    .innerJoin(users, eq(users.id, suppliers.userId))
    .orderBy(desc(suppliers.createdAt), desc(users.id))
    .limit(MAX_LISTED)
  const open = await db
    .select()
    .from(invitations)
    .where(isNull(invitations.usedAt))
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(MAX_LISTED)
  const labels = await labelsOf(
    db,
    found.map(({ user }) => user.id),
  )
  return {
    suppliers: found.map(({ user, lastEntryAt, ...rest }) => ({
      ...rest,
      userId: user.id,
      name: `${user.fname} ${user.lname}`,
      email: user.email,
      status: user.status,
      version: user.version,
      lastEntryAt: lastEntryAt === null ? null : new Date(lastEntryAt).toISOString(),
      labels: labels.get(user.id) ?? [],
    })),
    invitations: open.map((row) => invitationView(row, now())),
    phoneLinks: await openPhoneLinks(db, now(), MAX_LISTED),
    claims: await waitingClaims(db, now(), MAX_LISTED),
  }
}

/** Changes who a supplier is in records to come. @throws ShopError `user.not_found` */
export async function updateSupplier(
  deps: { db: Db },
  principal: Principal,
  userId: string,
  fisher: SupplierIdentity,
): Promise<SupplierIdentity> {
  return deps.db.transaction(async (tx) => {
    const [before] = await tx.select().from(suppliers).where(eq(suppliers.userId, userId)).for('update')
    if (before === undefined) throw new ShopError('user.not_found', 'There is no such supplier.')
    await tx
      .update(suppliers)
      .set({ fisher, party: partyOf(fisher) })
      .where(eq(suppliers.userId, userId))
    await writeAuditEntry(tx, principal, 'supplier', userId, {
      before: { fisher: before.fisher },
      after: { fisher },
    })
    return fisher
  })
}
