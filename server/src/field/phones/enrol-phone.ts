import type { Enrolment, EnrolmentProof } from '@befaqt/domain/device'
import type { FieldPhone, PhoneKey } from '@befaqt/domain/supplier'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { devices } from '#server/db/schema/devices.ts'
import { beginEnrolment, completeEnrolment, type DeviceDeps } from '#server/devices/device-life.ts'
import { type Principal, requireUser } from '#server/identity/principal.ts'
import { consumeLink, openLink } from './phone-link.ts'

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
