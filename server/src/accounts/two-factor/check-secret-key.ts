import { join } from 'node:path'
import { eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { installation } from '#server/db/schema/installation.ts'
import { KEY_FILE } from '#server/secrets/key-file.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { secretContext } from './second-factor.ts'

/** The fingerprint's name in the table `installation`. */
export const KEY_CHECK = 'secret key check'

/**
 * Compares the secret key with the one that this database was written with: what one key sealed, no other opens. The
 * first start with a database notes which one it is, as a keyed fingerprint that tells nothing about the key.
 * @throws Error with a sentence for the operator when it is another one
 */
export async function checkSecretKey(db: Db, secrets: Secrets, dataDir: string): Promise<void> {
  const value = secrets.fingerprint('befaqt', KEY_CHECK)
  if (!(await opensWhatIsThere(db, secrets))) throw wrongKey(dataDir)
  await db.insert(installation).values({ name: KEY_CHECK, value }).onConflictDoNothing()
  const [noted] = await db.select().from(installation).where(eq(installation.name, KEY_CHECK))
  if (noted?.value !== value) throw wrongKey(dataDir)
}

/** A database from before keys were noted: one second factor tells. */
async function opensWhatIsThere(db: Db, secrets: Secrets): Promise<boolean> {
  const [sealed] = await db.select().from(users).where(isNotNull(users.totpSecret)).limit(1)
  if (sealed?.totpSecret == null) return true
  try {
    secrets.open(sealed.totpSecret, secretContext(sealed.id))
    return true
  } catch {
    return false
  }
}

const wrongKey = (dataDir: string): Error =>
  new Error(
    `Wrong setting. DATA_DIR: ${join(dataDir, KEY_FILE)} is not the key that this database was written with. Second ` +
      'factors and waiting letters could not be opened. Put the right file there: every machine of one shop needs the ' +
      'same, and a backup of the database goes with it. When it is lost for good: npm run -s secret:replace.',
  )
