import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { and, asc, count, desc, eq, ilike, or } from 'drizzle-orm'
import { accountView } from '#server/auth/profile.ts'
import type { UserRow } from '#server/auth/store.ts'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { likeText, type ManageQuery, pageOf } from '#server/http/manage-query.ts'

/** An account as managers see it: nothing that proves who one is. */
export const managedUser = (user: UserRow): ManagedUser => ({
  ...accountView(user),
  version: user.version,
  createdAt: user.createdAt.toISOString(),
  updatedAt: user.updatedAt.toISOString(),
})

const sortable = {
  name: users.lname,
  email: users.emailKey,
  role: users.role,
  status: users.status,
  created: users.createdAt,
} as const

/** Accounts, by name unless asked otherwise. `q` looks in names, e-mail and phone. */
export async function listUsers(db: Db, query: ManageQuery): Promise<Paged<ManagedUser>> {
  const { page, size, offset } = pageOf(query)
  const text = likeText(query.q ?? '')
  const where = and(
    query.status && eq(users.status, query.status),
    query.q
      ? or(...[users.fname, users.lname, users.email, users.phone].map((column) => ilike(column, text)))
      : undefined,
  )
  const column = sortable[query.sort as keyof typeof sortable] ?? users.lname
  const order = query.dir === 'desc' ? desc(column) : asc(column)
  const [all] = await db.select({ total: count() }).from(users).where(where)
  const found = await db
    .select()
    .from(users)
    .where(where)
    .orderBy(order, asc(users.id))
    .limit(size)
    .offset(offset)
  return { rows: found.map(managedUser), page, size, total: all?.total ?? 0 }
}

/** Every account, as `GET /api/user/all` has it without a query. Source: spec §7. */
export async function allUsers(db: Db): Promise<ManagedUser[]> {
  return (await db.select().from(users).orderBy(asc(users.lname), asc(users.id))).map(managedUser)
}
