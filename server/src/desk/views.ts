import { randomUUID } from 'node:crypto'
import { DeskView, DeskViewPatch, NewDeskView, OpeningView } from '@befaqt/domain/api/desk-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import {
  type DeskList,
  deskLists,
  MAX_VIEWS,
  rightOfList,
  viewKey,
  viewQuery,
} from '@befaqt/domain/desk-views'
import { ShopError } from '@befaqt/domain/errors'
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { lockNamed } from '#server/db/advisory-locks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { deskViews, openingViews } from '#server/db/schema/desk.ts'
import { checkVersion, expectedVersion } from '#server/http/optimistic-lock.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { hasRight, isOwner, type Principal, requireUser } from '#server/identity/principal.ts'

const write = { access: 'staff', limits: 'manage-write' } as const

export const viewOperations = defineRoutes(endpoints, {
  listViews: {
    access: 'staff',
    limits: 'manage-read',
    summary: 'Views of a list: one’s own, and those that others share with whoever may see the list.',
    query: z.strictObject({ list: z.enum(deskLists) }),
    responses: { 200: z.strictObject({ views: z.array(DeskView) }) },
  },
  addView: {
    ...write,
    summary: 'Keep a list as it is narrowed and sorted, by a name.',
    body: NewDeskView,
    responses: { 201: DeskView },
  },
  changeView: {
    ...write,
    summary:
      'Rename a view, change what it shows, share it or no longer. Only its owner, or an ADMIN if it is shared.',
    body: DeskViewPatch,
    responses: { 200: DeskView },
  },
  removeView: {
    ...write,
    summary: 'Delete a view. It can be brought back for a day.',
    responses: { 204: null },
  },
  restoreView: { ...write, summary: 'Bring back a view that was deleted.', responses: { 200: DeskView } },
  openWithView: {
    ...write,
    errors: [404],
    summary: 'Say with which view a list opens for whoever asks.',
    body: OpeningView,
    responses: { 204: null },
  },
})

type Deps = { db: Db; now: () => Date }

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const viewReads = {
  listViews: async ({ db }, { principal, query }) => ({ views: await listViews(db, principal, query.list) }),
} satisfies Reads<typeof viewOperations, Pick<Deps, 'db'>>

/** Lists of the desk as staff keep them. Source: desk.md 'Shell'. */
export function viewRoutes(app: FastifyInstance, deps: Deps): void {
  registerReads(app, viewOperations, viewReads, deps)
  registerRoute(app, viewOperations.addView, ({ principal, body }) => addView(deps, principal, body))
  registerRoute(app, viewOperations.changeView, ({ principal, params, body, request }) =>
    changeView(deps, principal, params.id, body, expectedVersion(request)),
  )
  registerRoute(app, viewOperations.removeView, async ({ principal, params }) => {
    await removeView(deps, principal, params.id)
    return undefined
  })
  registerRoute(app, viewOperations.restoreView, ({ principal, params }) =>
    restoreView(deps, principal, params.id),
  )
  registerRoute(app, viewOperations.openWithView, async ({ principal, body }) => {
    await openWithView(deps, principal, body)
    return undefined
  })
}

const maySee = (principal: Principal, right: ReturnType<typeof rightOfList>): boolean =>
  right === 'admin' ? isOwner(principal) : hasRight(principal, right)

/** Whoever may see the rows of a list may have views of it. @throws ShopError `auth.forbidden` */
function viewerOfList(principal: Principal, list: DeskList): string {
  if (!maySee(principal, rightOfList(list)))
    throw new ShopError('auth.forbidden', 'You don’t have access to this list.')
  return requireUser(principal).userId
}

/** Its owner, and of a shared one an ADMIN: whose account is left without rights could not take it back. */
const mayEdit = (principal: Principal, view: { userId: string; shared: boolean }): boolean =>
  view.userId === requireUser(principal).userId || (view.shared && isOwner(principal))

const isThere = isNull(deskViews.deletedAt)

/** One's own by their names, then those of others. @throws ShopError `auth.forbidden` */
async function listViews(db: Db, principal: Principal, list: DeskList): Promise<DeskView[]> {
  const userId = viewerOfList(principal, list)
  const isSeen = or(eq(deskViews.userId, userId), deskViews.shared)
  return readViews(db, principal, and(eq(deskViews.list, list), isSeen))
}

async function readViews(db: Db | Tx, principal: Principal, which: SQL | undefined): Promise<DeskView[]> {
  const { userId } = requireUser(principal)
  const found = await db
    .select({ view: getTableColumns(deskViews), owner: users.fname, opening: openingViews.viewId })
    .from(deskViews)
    .innerJoin(users, eq(users.id, deskViews.userId))
    .leftJoin(openingViews, and(eq(openingViews.viewId, deskViews.id), eq(openingViews.userId, userId)))
    .where(and(which, isThere))
    .orderBy(sql`${deskViews.userId} <> ${userId}`, asc(deskViews.nameKey), asc(deskViews.id))
  return found.map(({ view, owner, opening }) => ({
    _id: view.id,
    list: view.list,
    name: view.name,
    query: view.query,
    shared: view.shared,
    owner: view.userId === userId ? null : owner,
    editable: mayEdit(principal, view),
    opens: opening !== null,
    version: view.version,
  }))
}

/** @throws ShopError `not_found` */
async function readView(tx: Tx, principal: Principal, id: string): Promise<DeskView> {
  const [found] = await readViews(tx, principal, eq(deskViews.id, id))
  if (found === undefined) throw notFound()
  return found
}

const notFound = (): ShopError => new ShopError('not_found', 'This view is not there any more.')

/** @throws ShopError `conflict` for a name that is taken and for too many, `auth.forbidden` */
function addView({ db }: Deps, principal: Principal, input: NewDeskView): Promise<DeskView> {
  const { list } = input
  const userId = viewerOfList(principal, list)
  return db.transaction(async (tx) => {
    await lockNamed(tx, 'views', list)
    const id = randomUUID()
    const view = { id, userId, list, ...valuesOf(list, input) }
    await assertRoom(tx, view)
    await tx.insert(deskViews).values(view)
    return readView(tx, principal, id)
  })
}

const valuesOf = (list: DeskList, { name, query, shared }: Omit<NewDeskView, 'list'>) => ({
  name,
  nameKey: viewKey(name),
  query: viewQuery(list, new URLSearchParams(query)),
  shared,
})

type Kept = Pick<typeof deskViews.$inferSelect, 'id' | 'userId' | 'list' | 'nameKey' | 'shared'>

/** Under the lock of its list: no other has the name, and there is room. @throws ShopError `conflict` */
async function assertRoom(tx: Tx, view: Kept): Promise<void> {
  const { id, userId, nameKey, shared } = view
  const others = await tx
    .select({
      id: deskViews.id,
      userId: deskViews.userId,
      nameKey: deskViews.nameKey,
      shared: deskViews.shared,
    })
    .from(deskViews)
    .where(
      and(
        eq(deskViews.list, view.list),
        isThere,
        or(eq(deskViews.userId, userId), shared ? deskViews.shared : undefined),
      ),
    )
  const all = others.filter((other) => other.id !== id)
  const own = all.filter((other) => other.userId === userId)
  const both = shared ? all.filter((other) => other.shared) : []
  const conflict = (message: string): ShopError =>
    new ShopError('conflict', message, { fields: [{ path: 'name', message }] })
  if (own.some((other) => other.nameKey === nameKey))
    throw conflict('You have a view of this name already, in capitals or not.')
  if (both.some((other) => other.nameKey === nameKey))
    throw conflict('Somebody shares a view of this name already, in capitals or not.')
  if (own.length >= MAX_VIEWS)
    throw new ShopError('conflict', `You have ${MAX_VIEWS} views of this list, the most. Delete one first.`)
  if (both.length >= MAX_VIEWS)
    throw new ShopError('conflict', `${MAX_VIEWS} views of this list are shared, the most that can be.`)
}

/** Locks the list of a view that whoever asks may change, deleted or not. @throws ShopError `not_found`, `auth.forbidden` */
async function lockView(tx: Tx, principal: Principal, id: string): Promise<typeof deskViews.$inferSelect> {
  const [known] = await tx.select({ list: deskViews.list }).from(deskViews).where(eq(deskViews.id, id))
  if (known === undefined) throw notFound()
  const userId = viewerOfList(principal, known.list)
  await lockNamed(tx, 'views', known.list)
  const [view] = await tx.select().from(deskViews).where(eq(deskViews.id, id))
  if (view === undefined || !(view.userId === userId || view.shared)) throw notFound()
  if (!mayEdit(principal, view))
    throw new ShopError('auth.forbidden', 'Only whose view it is may change it. Keep your own beside it.')
  return view
}

/** @throws ShopError `not_found`, `auth.forbidden`, `version.stale`, `conflict` */
function changeView(
  { db }: Deps,
  principal: Principal,
  id: string,
  patch: DeskViewPatch,
  version: number | undefined,
): Promise<DeskView> {
  return db.transaction(async (tx) => {
    const before = await lockView(tx, principal, id)
    checkVersion(version, await readView(tx, principal, id))
    const { name = before.name, query = before.query, shared = before.shared } = patch
    const values = { ...valuesOf(before.list, { name, query, shared }), version: before.version + 1 }
    await assertRoom(tx, { ...before, ...values })
    await tx.update(deskViews).set(values).where(eq(deskViews.id, id))
    return readView(tx, principal, id)
  })
}

/** One that is deleted already stays so. @throws ShopError `not_found`, `auth.forbidden` */
function removeView({ db, now }: Deps, principal: Principal, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    const { userId, list, deletedAt } = await lockView(tx, principal, id)
    if (deletedAt !== null) return
    await tx.update(deskViews).set({ deletedAt: now() }).where(eq(deskViews.id, id))
    const deleted = and(
      eq(deskViews.userId, userId),
      eq(deskViews.list, list),
      isNotNull(deskViews.deletedAt),
    )
    const earlier = tx
      .select({ id: deskViews.id })
      .from(deskViews)
      .where(deleted)
      .orderBy(desc(deskViews.deletedAt), desc(deskViews.id))
      .offset(MAX_VIEWS)
    await tx.delete(deskViews).where(inArray(deskViews.id, earlier))
  })
}

/**
 * Brings back a view as it was, and whoever opened the list with it does so again.
 * @throws ShopError `not_found` when its day is over, `auth.forbidden`, `conflict` when another has its name by now
 */
function restoreView({ db }: Deps, principal: Principal, id: string): Promise<DeskView> {
  return db.transaction(async (tx) => {
    const view = await lockView(tx, principal, id)
    if (view.deletedAt !== null) {
      await assertRoom(tx, view)
      await tx.update(deskViews).set({ deletedAt: null }).where(eq(deskViews.id, id))
    }
    return readView(tx, principal, id)
  })
}

/** @throws ShopError `not_found`, `auth.forbidden` */
function openWithView({ db }: Deps, principal: Principal, { list, view }: OpeningView): Promise<void> {
  const userId = viewerOfList(principal, list)
  return db.transaction(async (tx) => {
    await lockNamed(tx, 'views', list)
    const opening = and(eq(openingViews.userId, userId), eq(openingViews.list, list))
    await tx.delete(openingViews).where(opening)
    if (view === null) return
    const isSeen = or(eq(deskViews.userId, userId), deskViews.shared)
    const [seen] = await tx
      .select({ id: deskViews.id })
      .from(deskViews)
      .where(and(eq(deskViews.id, view), eq(deskViews.list, list), isThere, isSeen))
      .for('key share')
    if (seen === undefined) throw notFound()
    await tx.insert(openingViews).values({ userId, list, viewId: view })
  })
}
