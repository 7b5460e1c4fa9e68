import { ManagedAccount } from '@befaqt/domain/account'
import type { Paged } from '@befaqt/domain/api/box-api'
import type { FoundPerson } from '@befaqt/domain/api/desk-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { ManagedUser } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_LISTED } from '@befaqt/domain/list-place'
import { and, asc, eq, ne, type SQL, Subquery, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { sortKeys, storedColumns } from '#server/db/column-map.ts'
import { type Counted, countListed, keysetPage, type Part, sortedBy } from '#server/db/keyset.ts'
import { staffInvitations, users } from '#server/db/schema/accounts.ts'
import { suppliers } from '#server/db/schema/suppliers.ts'
import {
  findsMore,
  hasLongWord,
  inByteOrder,
  isOfMany,
  MAX_FOUND,
  matchesAllWords,
  matchesAllWordsIndexed,
  someFound,
} from '#server/db/search-and-order.ts'
import { timeText } from '#server/db/stored-values.ts'
import { hasFilters, ListQuery } from '#server/http/list-query.ts'
import { checkVersion, expectedVersion } from '#server/http/optimistic-lock.ts'
import { listOrPage } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { assertConfirmed, isOwner, type Principal } from '#server/identity/principal.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { type AccountDeps, accountColumns, type UserRow } from './account.ts'
import { accountView } from './profile.ts'
import { redactDeletedAccounts, redactEmails } from './retention.ts'

/**
 * The fields of an account that a manager may change. The whole user may be sent, as the specification has it; email
 * and phone belong to their owner and are ignored. Source: spec §6, §7.
 */
const UserPatch = z
  .object({
    fname: ManagedAccount.shape.fname.exactOptional(),
    lname: ManagedAccount.shape.lname.exactOptional(),
    role: ManagedAccount.shape.role.exactOptional(),
    status: ManagedAccount.shape.status.exactOptional(),
    version: z.number().int().exactOptional(),
  })
  .strip()
type UserPatch = z.infer<typeof UserPatch>

const access = { right: 'user:write', allBoxes: true } as const

export const userOperations = defineRoutes(endpoints, {
  listUsers: {
    summary: 'All accounts, or a page of them.',
    access,
    limits: 'manage-read',
    query: ListQuery,
    responses: { 200: listOrPage(ManagedUser) },
  },
  updateUser: {
    summary:
      'Change names, role or status of an account; role and status ask to confirm. Only an ADMIN changes a role, or an account of staff: 403.',
    access,
    limits: 'manage-write',
    body: UserPatch,
    responses: { 200: ManagedUser },
  },
  deleteUser: {
    confirmed: true,
    summary:
      'Delete a DISABLED account and what is kept of its person. Only an ADMIN deletes an account of staff: 403.',
    access,
    limits: 'manage-write',
    responses: { 204: null },
  },
})

type ReadDeps = { db: Db; secrets: Pick<Secrets, 'encrypt' | 'decrypt'> }

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const userReads = {
  listUsers: (deps, { query }) => (hasFilters(query) ? listUsers(deps, query) : allUsers(deps.db)),
} satisfies Reads<typeof userOperations, ReadDeps>

/** Managing accounts. Source: spec §7. */
export function userRoutes(app: FastifyInstance, deps: Pick<AccountDeps, 'db' | 'now' | 'secrets'>): void {
  registerReads(app, userOperations, userReads, deps)
  registerRoute(app, userOperations.updateUser, ({ principal, params, body, request }) => {
    const { version, ...patch } = body
    return updateUser(deps, principal, params.id, patch, expectedVersion(request, version))
  })
  registerRoute(app, userOperations.deleteUser, async ({ principal, params }) => {
    await deleteUser(deps, principal, params.id)
    return undefined
  })
}

/**
 * Changes an account's names, role or status. Another role or status ends its sessions at once.
 * @throws ShopError `user.not_found`, `version.stale`, `conflict` for the last administrator and for oneself,
 *   `auth.forbidden` for who is no administrator and would change a role or staff, `auth.confirm` where role or status change
 */
async function updateUser(
  deps: { db: Db; now: () => Date },
  principal: Principal,
  id: string,
  patch: Omit<UserPatch, 'version'>,
  version: number | undefined,
): Promise<ManagedUser> {
  return deps.db.transaction(async (tx) => {
    const user = await lockForManaging(tx, id)
    checkVersion(version, managedUser(user))
    const after = { ...user, ...patch }
    assertCanManage(principal, user, after)
    if (after.role !== user.role || after.status !== user.status) assertConfirmed(principal)
    if (after.role === 'SUPPLIER' && user.role !== 'SUPPLIER') await assertInvited(tx, id)
    if (isAdmin(user) && !isAdmin(after)) await assertAdminRemains(tx, principal, user)
    const [written] = await tx
      .update(users)
      .set({
        ...storedColumns(accountColumns, patch),
        // Rights at the desk go with the role: none come back when it does.
        ...(after.role !== user.role && { rights: [] }),
        version: user.version + 1,
        updatedAt: deps.now(),
      })
      .where(eq(users.id, id))
      .returning()
    if (written === undefined) throw userNotFound()
    if (written.role !== user.role || written.status !== user.status) await endSessions(tx, id)
    await writeAuditEntry(tx, principal, 'user', id, {
      before: managedUser(user),
      after: managedUser(written),
    })
    return managedUser(written)
  })
}

const userNotFound = (): ShopError => new ShopError('user.not_found', 'There is no such user.')

const isAdmin = ({ role, status }: Pick<UserRow, 'role' | 'status'>): boolean =>
  role === 'ADMIN' && status === 'ACTIVE'

/**
 * Only signed-in administrators may change roles and those who work at the desk: neither a leaked key nor staff may make
 * or lock out somebody with other rights than their own.
 * @throws ShopError `auth.forbidden`
 */
function assertCanManage(principal: Principal, user: Pick<UserRow, 'role' | 'rights'>, after = user): void {
  const isStaff = user.role === 'ADMIN' || user.rights.length > 0
  if (isOwner(principal) || (!isStaff && after.role === user.role)) return
  throw new ShopError('auth.forbidden', 'Only an administrator who is signed in may do this.')
}

/** @throws ShopError `conflict` for an account of which nothing is known that records of suppliers need */
async function assertInvited(tx: Tx, id: string): Promise<void> {
  if ((await tx.$count(suppliers, eq(suppliers.userId, id))) > 0) return
  throw new ShopError('conflict', 'Suppliers can’t be made here: invite them on the page of suppliers.')
}

/** Locks administrators first and in one order, so that two who demote each other can't both succeed. */
async function lockForManaging(tx: Tx, id: string): Promise<UserRow> {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.role, 'ADMIN'))
    .orderBy(inByteOrder(users.id))
    .for('update')
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  if (user === undefined) throw userNotFound()
  return user
}

/** @throws ShopError `conflict`: the shop would be left without an administrator, or the principal without rights */
async function assertAdminRemains(tx: Tx, principal: Principal, user: UserRow): Promise<void> {
  if (principal.kind === 'user' && principal.userId === user.id)
    throw new ShopError('conflict', 'You can’t remove your own rights. Ask another administrator.')
  const others = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'ADMIN'), eq(users.status, 'ACTIVE'), ne(users.id, user.id)))
    .limit(1)
  if (others.length === 0) throw new ShopError('conflict', 'This is the last active administrator.')
}

/**
 * Deletes a DISABLED account with its sessions, codes and passkeys, and all other personal data, also who its orders
 * were for. The audit log only says which account was deleted, when and by whom.
 * @throws ShopError `user.not_found`, `delete.not_disabled`, `auth.forbidden` for an account of staff, unless an administrator asks
 */
async function deleteUser(
  { db, secrets }: Pick<AccountDeps, 'db' | 'secrets'>,
  principal: Principal,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockForManaging(tx, id)
    assertCanManage(principal, user)
    if (user.status !== 'DISABLED')
      throw new ShopError('delete.not_disabled', 'Only a DISABLED user can be deleted.')
    await redactEmails(tx, secrets, user)
    await tx.delete(staffInvitations).where(eq(staffInvitations.emailKey, user.emailKey))
    await tx.delete(users).where(eq(users.id, id))
    await writeAuditEntry(tx, principal, 'user', id, { before: managedUser(user), after: null })
    await redactDeletedAccounts(tx)
  })
}

/** An account as managers see it: no credentials. */
const managedUser = (user: UserRow): ManagedUser => ({
  ...accountView(user),
  version: user.version,
  createdAt: timeText(user.createdAt),
  updatedAt: timeText(user.updatedAt),
})

const sortable = sortKeys(accountColumns, { created: users.createdAt })

/** Accounts, sorted by name by default. `q` searches names, email and phone. Places of the list are encrypted: they name people. */
async function listUsers({ db, secrets }: ReadDeps, query: ListQuery): Promise<Paged<ManagedUser>> {
  const status = query.status && eq(users.status, query.status)
  const { among, words, isMany } = await searched(db, query.q)
  const where = and(status, words)
  const column = sortable.get(query.sort ?? 'name') ?? users.search
  const keys = sortedBy(column, users.id, query.dir)
  const read = ({ where: beyond, order, limit, offset, at }: Part) =>
    db
      .select({ user: users, at })
      .from(among)
      .where(and(where, beyond))
      .orderBy(...order)
      .limit(limit)
      .offset(offset)
  const { rows, ...page } = await keysetPage(
    query,
    { keys, of: ['users', query], seal: secrets },
    read,
    async (beyond): Promise<Counted> =>
      isMany && status === undefined
        ? { total: MAX_FOUND, atLeast: true }
        : countListed(db, among, where, beyond, isMany ? MAX_FOUND : undefined),
  )
  return { ...page, rows: rows.map(({ user }) => managedUser(user)) }
}

/** What a search narrows accounts to: a query for them, under the name of users, and what is looked for in each of these. */
type Searched = { among: Subquery; words: SQL | undefined; isMany: boolean }

const asUsers = (query: SQL): Subquery => new Subquery(query, {}, 'users')

/** SQL: of so many newest accounts those with the words of a search, under the name of users. */
const amongNewest = (q: string, newest: number): SQL =>
  sql`(select * from users order by created_at desc, id desc limit ${newest}) users
      where ${matchesAllWords(users.search, q)}`

/**
 * Words that the index of words is asked for narrow the list to what it finds, as many as a list counts. Others are looked
 * for in each account while the list is walked in its order: those of one or two letters, those that most of the newest
 * accounts have, and those that more have than a list counts. Of fewer a walk may read every account: a family stands
 * together in the order of names.
 */
async function searched(db: Db, q = ''): Promise<Searched> {
  const walked = { among: asUsers(sql`select * from ${users}`), words: matchesAllWords(users.search, q) }
  if (!hasLongWord(q)) return { ...walked, isMany: false }
  if (await isOfMany(db, q, (newest) => amongNewest(q, newest))) return { ...walked, isMany: true }
  const ids = sql`select ${users.id} from ${users} where ${matchesAllWordsIndexed(users.search, q)}`
  if (await findsMore(db, ids, MAX_LISTED)) return { ...walked, isMany: true }
  return {
    among: asUsers(sql`select users.* from ${someFound(ids, users, MAX_LISTED)}`),
    words: undefined,
    isMany: false,
  }
}

/** A few accounts by name, email or phone, by name. Whether one buys is read in the order of an index: `exists` read all orders. */
export async function peopleFound(db: Db, q: string, most: number): Promise<FoundPerson[]> {
  const words = matchesAllWordsIndexed(users.search, q)
  if (words === undefined) return []
  return rows<FoundPerson>(
    db,
    sql`select users.id as "_id", users.fname || ' ' || users.lname as name, users.email, users.role,
          (select o.id from orders o where o.user_id = users.id order by o.created_at limit 1) is not null as buys
        from ${someFound(sql`select ${users.id} from ${users} where ${words}`, users)}
        order by users.search, users.id limit ${most}`,
  )
}

/** Every account, as `GET /api/user/all` has it without a query. Source: spec §7. */
async function allUsers(db: Db): Promise<ManagedUser[]> {
  return (await db.select().from(users).orderBy(asc(users.search), asc(users.id))).map(managedUser)
}
