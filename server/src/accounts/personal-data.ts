import { asc, desc, eq } from 'drizzle-orm'
import { atOnce, type PersonalData } from '#server/db/personal-data.ts'
import { addresses, emailChanges, favourites, passkeys, sessions, users } from '#server/db/schema/accounts.ts'

/** The account, where it is logged in, and how. Nothing of it is a secret: hashes and keys stay out. */
export const accountData: readonly PersonalData[] = [
  atOnce('account', [users], (db, userId) => {
    const {
      id,
      fname,
      lname,
      email,
      phone,
      role,
      rights,
      status,
      totpConfirmedAt,
      activatedAt,
      createdAt,
      updatedAt,
    } = users
    const twoStepLoginSince = totpConfirmedAt
    return db
      .select({
        ...{ id, fname, lname, email, phone, role, rights, status },
        ...{ twoStepLoginSince, activatedAt, createdAt, updatedAt },
      })
      .from(users)
      .where(eq(users.id, userId))
  }),
  atOnce('addresses', [addresses], (db, userId) => {
    const { label, street, suburb, state, postcode, preferred, createdAt } = addresses
    return db
      .select({ label, street, suburb, state, postcode, preferred, createdAt })
      .from(addresses)
      .where(eq(addresses.userId, userId))
      .orderBy(asc(addresses.createdAt), asc(addresses.id))
  }),
  atOnce('sessions', [sessions], (db, userId) => {
    const { device, address, createdAt, lastUsedAt, expiresAt } = sessions
    return db
      .select({ device, address, createdAt, lastUsedAt, expiresAt })
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(desc(sessions.createdAt), desc(sessions.id))
  }),
  atOnce('passkeys', [passkeys], (db, userId) => {
    const { name, createdAt, lastUsedAt } = passkeys
    return db
      .select({ name, createdAt, lastUsedAt })
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(desc(passkeys.createdAt), desc(passkeys.id))
  }),
  atOnce('favourites', [favourites], (db, userId) => {
    const { productId, title, createdAt } = favourites
    return db
      .select({ productId, title, createdAt })
      .from(favourites)
      .where(eq(favourites.userId, userId))
      .orderBy(asc(favourites.createdAt), asc(favourites.productId))
  }),
  atOnce('emailChanges', [emailChanges], (db, userId) => {
    const { email, oldConfirmedAt, newConfirmedAt, createdAt, expiresAt } = emailChanges
    return db
      .select({ email, oldConfirmedAt, newConfirmedAt, createdAt, expiresAt })
      .from(emailChanges)
      .where(eq(emailChanges.userId, userId))
  }),
]
