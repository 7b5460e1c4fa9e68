import { join } from 'node:path'
import { eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { recoveryCodes, users } from '#server/db/schema/accounts.ts'
import { installation } from '#server/db/schema/installation.ts'
import { KEY_CHECK, KEY_FILE, keyCheck, type Secrets } from '#server/secrets/secrets.ts'
import { secretContext } from './second-factor.ts'

/**
 * Checks that the secret key is the one that this database was written with: what one key encrypted, no other decrypts.
 * The first start with a database stores an HMAC by which the key is recognized.
 * @throws Error with a sentence for the operator when it is another key
 */
export async function checkSecretKey(db: Db, secrets: Secrets, dataDir: string): Promise<void> {
  const value = keyCheck(secrets)
  if (!(await decryptsExisting(db, secrets))) throw wrongKey(dataDir)
  await db.insert(installation).values({ name: KEY_CHECK, value }).onConflictDoNothing()
  const [stored] = await db.select().from(installation).where(eq(installation.name, KEY_CHECK))
  if (stored?.value !== value) throw wrongKey(dataDir)
}

/** For a database from before the HMAC was stored: tries to decrypt one second factor. */
async function decryptsExisting(db: Db, secrets: Secrets): Promise<boolean> {
  const [sealed] = await db.select().from(users).where(isNotNull(users.totpSecret)).limit(1)
  if (sealed?.totpSecret == null) return true
  try {
    secrets.decrypt(sealed.totpSecret, secretContext(sealed.id))
    return true
  } catch {
    return false
  }
}

const wrongKey = (dataDir: string): Error =>
  new Error(
    `Wrong setting. DATA_DIR: ${join(dataDir, KEY_FILE)} is not the key that this database was written with. Second ` +
      'factors and queued emails could not be decrypted. Put the right file there: every machine of one shop needs the ' +
      'same, and a backup of the database goes with it. When it is lost for good: npm run -s secret:replace.',
  )

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
