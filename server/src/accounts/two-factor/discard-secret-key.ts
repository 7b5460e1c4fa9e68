import { eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { recoveryCodes, users } from '#server/db/schema/accounts.ts'
import { installation } from '#server/db/schema/installation.ts'
import { KEY_CHECK } from './check-secret-key.ts'

/** The number of accounts with a second factor encrypted by the secret key. */
export const countSecondFactors = (db: Db): Promise<number> => db.$count(users, isNotNull(users.totpSecret))

/**
 * Discards what a lost secret key encrypted, so that the next start accepts the new key: second factors and recovery
 * codes are deleted, passwords and passkeys stay. Queued emails fail for good when they are due.
 */
export async function discardSecretKey(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(users).set({ totpSecret: null, totpConfirmedAt: null, totpLastStep: null })
    await tx.delete(recoveryCodes)
    await tx.delete(installation).where(eq(installation.name, KEY_CHECK))
  })
}
