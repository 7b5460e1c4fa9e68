import type { FieldUser } from '@befaqt/domain/api/field-api'
import type { FieldPhone } from '@befaqt/domain/supplier'
import type { PhoneKey } from './phone-key.ts'

/** How this phone stands for an account, by its key and what the shop said last of the account's phones. */
export type Signing =
  | { state: 'none' }
  | { state: 'enrolling' }
  | { state: 'failed'; problem: string }
  | { state: 'signs' | 'revoked'; phone: FieldPhone }

/** @param phones those of the account that are registered */
export function signingOf(
  key: Pick<PhoneKey, 'id' | 'problem'> | undefined,
  { phones }: Pick<FieldUser, 'phones'>,
): Signing {
  if (key === undefined) return { state: 'none' }
  const phone = phones.find(({ id }) => id === key.id)
  if (phone) return { state: phone.revokedAt === null ? 'signs' : 'revoked', phone }
  return key.problem === null ? { state: 'enrolling' } : { state: 'failed', problem: key.problem }
}
