import { FavouriteIds, FavouriteList } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/favourites'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_FAVOURITES } from '@befaqt/domain/limits'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { favourites, users } from '#server/db/schema/accounts.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'

const own = { access: 'user', limits: 'account' } as const

const favouriteOperations = defineRoutes(endpoints, {
  listFavourites: {
    ...own,
    summary: 'Own favourites, the newest first.',
    responses: { 200: FavouriteList },
  },
  addFavourites: {
    ...own,
    summary: 'Add products to one’s own favourites. What is there already keeps its place.',
    body: FavouriteIds,
    responses: { 200: FavouriteList },
  },
  removeFavourite: {
    ...own,
    summary: 'Remove a product from one’s own favourites, whether or not it is still sold.',
    responses: { 204: null },
  },
})

/** One's own favourites. Whose they are comes from the session, never from the request. */
export function favouriteRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  registerRoute(app, favouriteOperations.listFavourites, ({ principal }) =>
    listFavourites(db, requireUser(principal).userId),
  )
  registerRoute(app, favouriteOperations.addFavourites, ({ principal, body }) =>
    addFavourites(db, requireUser(principal).userId, body.products),
  )
  registerRoute(app, favouriteOperations.removeFavourite, async ({ principal, params }) => {
    await removeFavourite(db, requireUser(principal).userId, params.id)
    return undefined
  })
}

/** What an account keeps, the newest first. */
async function listFavourites(db: Db | Tx, userId: string): Promise<FavouriteList> {
  const kept = await db
    .select({ _id: favourites.productId, title: favourites.title })
    .from(favourites)
    .where(eq(favourites.userId, userId))
    .orderBy(desc(favourites.createdAt), asc(favourites.productId))
  return { favourites: kept, leftOut: 0 }
}

/**
 * Adds products to those that an account keeps: one, or all that a device kept before its owner signed in. What is there
 * already keeps its place, what is no product any more is left out, and of what does not fit the oldest. The account is
 * locked, so that two devices at once don't exceed the limit.
 * @param ids the newest first
 * @throws ShopError `auth.required` when the account was deleted in the meantime
 */
async function addFavourites(db: Db, userId: string, ids: readonly string[]): Promise<FavouriteList> {
  return db.transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, userId))
      .for('no key update')
    if (user === undefined) throw new ShopError('auth.required', 'Please log in.')
    const wanted = await rows<{ id: string; title: string }>(
      tx,
      sql`select p.id, p.title from unnest(${sql.param([...new Set(ids)])}::text[]) with ordinality as w(id, place)
          join products p on p.id = w.id
          where not exists (select from favourites f where f.user_id = ${userId} and f.product_id = p.id)
          order by w.place`,
    )
    const room = Math.max(0, MAX_FAVOURITES - (await tx.$count(favourites, eq(favourites.userId, userId))))
    const added = wanted.slice(0, room)
    if (added.length > 0)
      await tx.insert(favourites).values(
        added.map(({ id, title }, place) => ({
          userId,
          productId: id,
          title,
          createdAt: sql`statement_timestamp() - ${place} * interval '1 millisecond'`,
        })),
      )
    return { ...(await listFavourites(tx, userId)), leftOut: wanted.length - added.length }
  })
}

/** Removes a product from those that an account keeps, also one that is not among them. */
async function removeFavourite(db: Db, userId: string, productId: string): Promise<void> {
  await db.delete(favourites).where(and(eq(favourites.userId, userId), eq(favourites.productId, productId)))
}
