import { randomUUID } from 'node:crypto'
import type { PhoneLinkView } from '@befaqt/domain/api/field-api'
import type { Enrolment, EnrolmentProof } from '@befaqt/domain/device'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { type EntryTimes, type FieldTagReading, signedReading } from '@befaqt/domain/field-entry'
import {
  type FieldPhone,
  type NewPhoneLink,
  PHONE_LINK_DAYS,
  type PhoneKey,
  type PhoneLink,
} from '@befaqt/domain/supplier'
import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm'
import { assertOpenLink, hashToken, newToken, refusedLink, withToken } from '#server/accounts/index.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { devices, phoneLinks } from '#server/db/schema/devices.ts'
import { suppliers } from '#server/db/schema/suppliers.ts'
import { beginEnrolment, completeEnrolment, type DeviceDeps } from '#server/devices/index.ts'
import { type Principal, requireUser } from '#server/identity/principal.ts'
import { qrPath } from '#server/images/qr-path.ts'
import {
  type IncomingReading,
  type Rejection,
  readClaim,
  refusedFor,
  verifyClaims,
} from '#server/ingestion/index.ts'
import type { FieldDeps } from './record-entry.ts'

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
async function openLink(db: Db, token: string, userId: string, now: Date): Promise<LinkRow> {
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
async function consumeLink(tx: Tx, id: string, userId: string, now: Date): Promise<void> {
  const [row] = await tx.select().from(phoneLinks).where(eq(phoneLinks.id, id)).for('update')
  assertOpen(row, userId, now)
  await tx.update(phoneLinks).set({ usedAt: now }).where(eq(phoneLinks.id, id))
}

/** Phones that are listed to a supplier. */
const MAX_PHONES = 100

/**
 * Returns the challenge that a supplier's phone has to sign. May be repeated while the link is open: the newest counts.
 * @throws ShopError `token.invalid` with the reason, `conflict` for a key that is in the register
 */
export async function beginPhoneEnrolment(
  deps: DeviceDeps,
  principal: Principal,
  { token, publicKey }: PhoneKey,
): Promise<Enrolment> {
  const { userId } = requireUser(principal)
  const { id, name } = await openLink(deps.db, token, userId, deps.now())
  return beginEnrolment(deps, { name, publicKey, level: 'gateway' }, id)
}

/**
 * Registers the phone and uses up its link, together.
 * @throws ShopError as `completeEnrolment`; `token.invalid` with the reason
 */
export async function completePhoneEnrolment(
  deps: DeviceDeps,
  principal: Principal,
  id: string,
  proof: EnrolmentProof,
): Promise<FieldPhone> {
  const { userId } = requireUser(principal)
  await completeEnrolment(deps, principal, id, proof, async (tx, linkId) => {
    await consumeLink(tx, linkId, userId, deps.now())
    return userId
  })
  const [phone] = await phonesOf(deps.db, userId, id)
  if (phone === undefined) throw new Error('a phone vanished after it was registered')
  return phone
}

/** A supplier's phones, or the one with this key: those that are valid first, then the newest. */
export async function phonesOf(db: Db, userId: string, id?: string): Promise<FieldPhone[]> {
  const found = await db
    .select()
    .from(devices)
    .where(and(eq(devices.supplierId, userId), id === undefined ? undefined : eq(devices.id, id)))
    .orderBy(sql`${devices.revokedAt} is not null`, desc(devices.createdAt))
    .limit(MAX_PHONES)
  return found.map(({ id, name, validFrom, revokedAt }) => ({
    id,
    name,
    validFrom: validFrom.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
  }))
}

/**
 * The reading of an entry with what its phone signed; undefined when there is no signature, or one over a time by a clock
 * that is known to be wrong: then the reading is recorded for the right time, as typed in.
 * @throws ShopError `input.invalid`: the key is no phone of this supplier, or did not sign this
 */
export async function verifyEntry(
  deps: FieldDeps,
  userId: string,
  entry: FieldTagReading,
  { isClockWrong }: EntryTimes,
): Promise<IncomingReading | undefined> {
  const { signed, box } = entry
  if (signed === undefined || isClockWrong) return undefined
  const [own] = await deps.db
    .select({ id: devices.id })
    .from(devices)
    .where(and(eq(devices.id, signed.key), eq(devices.supplierId, userId)))
  if (own === undefined)
    throw signatureRefused(refusedFor('key', 'No phone of yours with this key is registered.'))
  const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
  const claim = readClaim({ box, ...signedReading(entry), ...signed }, undefined, clock)
  if ('refused' in claim) throw signatureRefused(claim)
  const [found] = await verifyClaims(deps.db, [{ ...claim, box }], clock)
  if (found === undefined || 'refused' in found) throw signatureRefused(found ?? { refused: [] })
  return found[0]
}

/** A refusal that is about the signature, at the paths of an entry: without it the entry could be recorded. */
export function signatureRefused({ refused }: Rejection): ShopError {
  const fields = refused.map(({ path, message }) => ({ path: `signed.${path}`, message }))
  return new ShopError('input.invalid', fields[0]?.message ?? 'The signature is not valid.', { fields })
}
