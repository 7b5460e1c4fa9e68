import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { and, asc, eq } from 'drizzle-orm'
import { accountColumns } from '#server/accounts/account-columns.ts'
import { accountView } from '#server/accounts/profile/profile.ts'
import type { UserRow } from '#server/accounts/store.ts'
import type { Db } from '#server/db/client.ts'
import { sortKeys } from '#server/db/column-map.ts'
import { users } from '#server/db/schema/accounts.ts'
import { matchesAllWords, orderBy } from '#server/db/search-and-order.ts'
import { timeText } from '#server/db/stored-values.ts'
import { type ListQuery, pageOf } from '#server/http/list-query.ts'

/** An account as managers see it: no credentials. */
export const managedUser = (user: UserRow): ManagedUser => ({
  ...accountView(user),
  version: user.version,
  createdAt: timeText(user.createdAt),
  updatedAt: timeText(user.updatedAt),
})

const sortable = sortKeys(accountColumns, { created: users.createdAt })

/** Accounts, sorted by name by default. `q` searches names, email and phone. */
export async function listUsers(db: Db, query: ListQuery): Promise<Paged<ManagedUser>> {
  const { page, size, offset } = pageOf(query)
  const where = and(query.status && eq(users.status, query.status), matchesAllWords(users.search, query.q))
  const column = sortable.get(query.sort ?? 'name') ?? users.search
  const found = db
    .select()
    .from(users)
    .where(where)
    .orderBy(...orderBy(column, users.id, query.dir))
    .limit(size)
    .offset(offset)
  const [total, rows] = await Promise.all([db.$count(users, where), found])
  return { rows: rows.map(managedUser), page, size, total }
}

/** Every account, as `GET /api/user/all` has it without a query. Source: spec §7. */
export async function allUsers(db: Db): Promise<ManagedUser[]> {
  return (await db.select().from(users).orderBy(asc(users.search), asc(users.id))).map(managedUser)
}
