import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { and, asc, eq } from 'drizzle-orm'
import { accountView } from '#server/accounts/profile/profile.ts'
import type { UserRow } from '#server/accounts/store.ts'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { inOrder, mentions } from '#server/db/search-and-order.ts'
import { type ListQuery, pageOf } from '#server/http/list-query.ts'

/** An account as managers see it: nothing that proves who one is. */
export const managedUser = (user: UserRow): ManagedUser => ({
  ...accountView(user),
  version: user.version,
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
})

const sortable = {
  name: users.search,
  email: users.emailKey,
  role: users.role,
  status: users.status,
  created: users.createdAt,
} as const

/** Accounts, by name unless asked otherwise. `q` looks in names, e-mail and phone. */
export async function listUsers(db: Db, query: ListQuery): Promise<Paged<ManagedUser>> {
  const { page, size, offset } = pageOf(query)
  const where = and(query.status && eq(users.status, query.status), mentions(users.search, query.q))
  const column = sortable[query.sort as keyof typeof sortable] ?? users.search
  const found = db
    .select()
    .from(users)
    .where(where)
    .orderBy(...inOrder(column, users.id, query.dir))
    .limit(size)
    .offset(offset)
  const [total, rows] = await Promise.all([db.$count(users, where), found])
  return { rows: rows.map(managedUser), page, size, total }
}

/** Every account, as `GET /api/user/all` has it without a query. Source: spec §7. */
export async function allUsers(db: Db): Promise<ManagedUser[]> {
  return (await db.select().from(users).orderBy(asc(users.search), asc(users.id))).map(managedUser)
}
