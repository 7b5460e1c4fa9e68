import type { FieldUser } from '@befaqt/domain/api/field-api'
import type { FieldPhone } from '@befaqt/domain/supplier'

/** How this phone stands for an account, by its key and what the shop said last of the account's phones. */
export type Signing =
  | { state: 'none' }
  | { state: 'enrolling' }
  | { state: 'failed'; problem: string }
  | { state: 'signs' | 'revoked'; phone: FieldPhone }

/**
 * @param key this phone's own: its id, and why the shop did not register it
 * @param phones those of the account that are registered
 */
export function signingOf(
  key: { id: string; problem: string | null } | undefined,
  { phones }: Pick<FieldUser, 'phones'>,
): Signing {
  if (key === undefined) return { state: 'none' }
  const phone = phones.find(({ id }) => id === key.id)
  if (phone) return { state: phone.revokedAt === null ? 'signs' : 'revoked', phone }
  return key.problem === null ? { state: 'enrolling' } : { state: 'failed', problem: key.problem }
}
