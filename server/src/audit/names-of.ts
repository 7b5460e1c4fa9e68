import { inArray } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { apiKeys, users } from '#server/db/schema/accounts.ts'
import { SYSTEM } from '#server/identity/principal.ts'

/** How `whoOf` names a machine: with the id of its key. */
const KEY = 'key:'

/**
 * What managers call those who are named `who` in histories and records: people by their names, machines by that of
 * their key. Whoever is not known (any more) is left out.
 */
export async function namesOf(db: Db | Tx, who: readonly string[]): Promise<ReadonlyMap<string, string>> {
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
