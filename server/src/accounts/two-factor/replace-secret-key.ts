import { eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { recoveryCodes, users } from '#server/db/schema/accounts.ts'
import { installation } from '#server/db/schema/installation.ts'
import { KEY_CHECK } from './check-secret-key.ts'

/** Accounts with a second factor that the secret key keeps. */
export const secondFactors = (db: Db): Promise<number> => db.$count(users, isNotNull(users.totpSecret))

/**
 * Gives up what a lost secret key kept, so that the next start takes the key that is there: second factors and their
 * recovery codes end, passwords and passkeys stay. Waiting letters are given up when their turn comes.
 */
export async function giveUpSecretKey(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(users).set({ totpSecret: null, totpConfirmedAt: null, totpLastStep: null })
    await tx.delete(recoveryCodes)
    await tx.delete(installation).where(eq(installation.name, KEY_CHECK))
  })
}
