import { randomUUID } from 'node:crypto'
import type { PhoneLinkView } from '@befaqt/domain/api/field-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { type NewPhoneLink, PHONE_LINK_DAYS, type PhoneLink } from '@befaqt/domain/supplier'
import { and, desc, eq, isNull, lt, or } from 'drizzle-orm'
import { hashToken, newToken, withToken } from '#server/accounts/tokens.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { phoneLinks } from '#server/db/schema/devices.ts'
import { suppliers } from '#server/db/schema/suppliers.ts'
import { assertOpenLink, refusedLink } from '#server/field/invite-supplier.ts'
import type { Principal } from '#server/identity/principal.ts'
import { qrPath } from '#server/images/qr-path.ts'

/** The page that the link of a phone leads to. */
const PHONE_PAGE = '/field/phone'

type Deps = { db: Db; now: () => Date; config: { PUBLIC_URL: string } }

/**
 * Makes a link by which one phone of a supplier gets a key that is registered, once. An earlier one of theirs that was
 * not used no longer works. The link alone is useless: the phone has to be logged in as that supplier, too.
 * @throws ShopError `user.not_found` for an account that is no active supplier
 */
export async function makePhoneLink(
  { db, now, config }: Deps,
  principal: Principal,
  userId: string,
  { name }: NewPhoneLink,
): Promise<PhoneLink> {
  const token = newToken()
  const expiresAt = new Date(now().getTime() + PHONE_LINK_DAYS * DAY_MS)
  await db.transaction(async (tx) => {
    const [supplier] = await tx
      .select({ id: suppliers.userId })
      .from(suppliers)
      .innerJoin(users, eq(users.id, suppliers.userId))
      .where(and(eq(suppliers.userId, userId), eq(users.role, 'SUPPLIER'), eq(users.status, 'ACTIVE')))
      .for('update', { of: suppliers })
    if (supplier === undefined) throw new ShopError('user.not_found', 'There is no such active supplier.')
    const unused = and(eq(phoneLinks.userId, userId), isNull(phoneLinks.usedAt))
    await tx.delete(phoneLinks).where(or(unused, lt(phoneLinks.expiresAt, now())))
    const createdAt = now()
    await tx
      .insert(phoneLinks)
      .values({ id: randomUUID(), tokenHash: hashToken(token), userId, name, createdAt, expiresAt })
    await writeAuditEntry(tx, principal, 'supplier', userId, { before: null, after: { phoneLink: name } })
  })
  const link = withToken(`${config.PUBLIC_URL}${PHONE_PAGE}`, token)
  return { link, expiresAt: expiresAt.toISOString(), qr: qrPath(link) }
}

/** Links that were not used, newest first. @param limit at most so many */
export async function openPhoneLinks(db: Db, now: Date, limit: number): Promise<PhoneLinkView[]> {
  const { id, name, expiresAt, createdAt } = phoneLinks
  const found = await db
    .select({ id, name, expiresAt, user: users })
    .from(phoneLinks)
    .innerJoin(users, eq(users.id, phoneLinks.userId))
    .where(isNull(phoneLinks.usedAt))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit)
  return found.map(({ user, ...link }) => ({
    ...link,
    supplier: { userId: user.id, name: `${user.fname} ${user.lname}` },
    expiresAt: link.expiresAt.toISOString(),
    expired: link.expiresAt <= now,
  }))
}

/** Makes the link of a phone useless. @throws ShopError `not_found` for one that was used, replaced or revoked */
export async function revokePhoneLink(deps: { db: Db }, principal: Principal, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [revoked] = await tx
      .delete(phoneLinks)
      .where(and(eq(phoneLinks.id, id), isNull(phoneLinks.usedAt)))
      .returning()
    if (revoked === undefined) throw new ShopError('not_found', 'This link is not open any more.')
    const before = { phoneLink: revoked.name }
    await writeAuditEntry(tx, principal, 'supplier', revoked.userId, { before, after: null })
  })
}

type LinkRow = typeof phoneLinks.$inferSelect

/** The link of this token, where it still works for this supplier. @throws ShopError `token.invalid` with the reason */
export async function openLink(db: Db, token: string, userId: string, now: Date): Promise<LinkRow> {
  const [row] = await db
    .select()
    .from(phoneLinks)
    .where(eq(phoneLinks.tokenHash, hashToken(token)))
  return assertOpen(row, userId, now)
}

function assertOpen(row: LinkRow | undefined, userId: string, now: Date): LinkRow {
  if (row !== undefined && row.userId !== userId)
    throw refusedLink('This link is for another supplier.', 'another')
  return assertOpenLink(row, now, 'This link is not valid. A newer one may have replaced it.')
}

/** Uses up a link: of two that try, one does. @throws ShopError `token.invalid` with the reason */
export async function consumeLink(tx: Tx, id: string, userId: string, now: Date): Promise<void> {
  const [row] = await tx.select().from(phoneLinks).where(eq(phoneLinks.id, id)).for('update')
  assertOpen(row, userId, now)
  await tx.update(phoneLinks).set({ usedAt: now }).where(eq(phoneLinks.id, id))
}
