import { inArray } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { apiKeys, users } from '#server/db/schema/accounts.ts'
import { SYSTEM } from '#server/identity/principal.ts'

/** The prefix of an API key's actor id. */
const KEY = 'key:'

/**
 * Display names by actor id, for managers: users by their names, API keys by the name of the key. Unknown and deleted
 * actors are left out.
 */
export async function actorNames(db: Db | Tx, who: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  if (who.includes(SYSTEM)) names.set(SYSTEM, 'the shop itself')
  const keyIds = who.filter((one) => one.startsWith(KEY)).map((one) => one.slice(KEY.length))
  if (keyIds.length > 0) {
    const found = await db
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(inArray(apiKeys.id, keyIds))
    for (const { id, name } of found) names.set(`${KEY}${id}`, `machine key ${name}`)
  }
  const people = who.filter((one) => !one.startsWith(KEY))
  if (people.length > 0) {
    const { id, fname, lname } = users
    for (const one of await db.select({ id, fname, lname }).from(users).where(inArray(id, people)))
      names.set(one.id, `${one.fname} ${one.lname}`)
  }
  return names
}
