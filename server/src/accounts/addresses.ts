import { randomUUID } from 'node:crypto'
import { SavedAddressView } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/own-account'
import { ShopError } from '@befaqt/domain/errors'
import { MAX_ADDRESSES } from '@befaqt/domain/limits'
import { SavedAddressInput } from '@befaqt/domain/saved-address'
import { and, asc, desc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Db, Tx } from '#server/db/client.ts'
import { addresses } from '#server/db/schema/accounts.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { type AccountDeps, lockUser } from './account.ts'

const own = { access: 'user', limits: 'account' } as const

const addressOperations = defineRoutes(endpoints, {
  addAddress: {
    ...own,
    summary: `Keep an address for later orders, ${MAX_ADDRESSES} at most. One that is kept already is answered as it is.`,
    body: SavedAddressInput,
    responses: { 201: SavedAddressView },
  },
  changeAddress: {
    ...own,
    summary: 'Change a kept address. Orders keep theirs.',
    body: SavedAddressInput,
    responses: { 200: SavedAddressView },
  },
  removeAddress: { ...own, summary: 'Forget a kept address.', responses: { 204: null } },
})

/** The delivery addresses that an account keeps. One of them is preferred. */
export function addressRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerRoute(app, addressOperations.addAddress, ({ principal, body }) =>
    addAddress(deps, requireUser(principal).userId, body),
  )
  registerRoute(app, addressOperations.changeAddress, ({ principal, params, body }) =>
    changeAddress(deps, requireUser(principal).userId, params.id, body),
  )
  registerRoute(app, addressOperations.removeAddress, async ({ principal, params }) => {
    await removeAddress(deps, requireUser(principal).userId, params.id)
    return undefined
  })
}

type Row = typeof addresses.$inferSelect

const view = ({ id, label, street, suburb, state, postcode, preferred }: Row): SavedAddressView => ({
  _id: id,
  label,
  street,
  suburb,
  state,
  postcode,
  preferred,
})

const readAll = (db: Db | Tx, userId: string): Promise<Row[]> =>
  db
    .select()
    .from(addresses)
    .where(eq(addresses.userId, userId))
    .orderBy(desc(addresses.preferred), asc(addresses.createdAt), asc(addresses.id))

/** What an account keeps, the preferred one first. */
export const listAddresses = async (db: Db, userId: string): Promise<SavedAddressView[]> =>
  (await readAll(db, userId)).map(view)

/** Their owner's row is locked for all changes, so that one is preferred and they are not too many. */
async function lockAll(tx: Tx, userId: string): Promise<Row[]> {
  if ((await lockUser(tx, userId)) === undefined) throw new ShopError('auth.required', 'Please log in.')
  return readAll(tx, userId)
}

const whereTo = ({
  street,
  suburb,
  state,
  postcode,
}: Omit<SavedAddressInput, 'label' | 'preferred'>): string =>
  [street, suburb, state, postcode].join('\n').toLowerCase()

const preferNone = (tx: Tx, userId: string): Promise<unknown> =>
  tx
    .update(addresses)
    .set({ preferred: false })
    .where(and(eq(addresses.userId, userId), eq(addresses.preferred, true)))

/**
 * Keeps an address; the first one is preferred. One that is kept already, in whatever capitals, is answered as it is, so
 * that a checkout may save it again; it is preferred from now on where that is asked.
 * @throws ShopError `conflict` for one too many, `auth.required` for an account that is gone
 */
export async function addAddress(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  userId: string,
  input: SavedAddressInput,
): Promise<SavedAddressView> {
  return db.transaction(async (tx) => {
    const kept = await lockAll(tx, userId)
    const same = kept.find((one) => whereTo(one) === whereTo(input))
    if (same !== undefined) {
      if (!input.preferred || same.preferred) return view(same)
      await preferNone(tx, userId)
      await tx.update(addresses).set({ preferred: true }).where(eq(addresses.id, same.id))
      return view({ ...same, preferred: true })
    }
    if (kept.length >= MAX_ADDRESSES)
      throw new ShopError(
        'conflict',
        `An account keeps ${MAX_ADDRESSES} addresses at most. Delete one first.`,
      )
    const preferred = input.preferred || kept.length === 0
    if (preferred) await preferNone(tx, userId)
    const row = { ...input, id: randomUUID(), userId, preferred, createdAt: now() }
    await tx.insert(addresses).values(row)
    return view(row)
  })
}

const notFound = (): ShopError => new ShopError('not_found', 'This address is not kept any more.')

/**
 * Changes a kept address. The preferred one stays so until another is preferred.
 * @throws ShopError `not_found`, also for somebody else's, `auth.required`
 */
export async function changeAddress(
  { db }: Pick<AccountDeps, 'db'>,
  userId: string,
  id: string,
  input: SavedAddressInput,
): Promise<SavedAddressView> {
  return db.transaction(async (tx) => {
    const before = (await lockAll(tx, userId)).find((one) => one.id === id)
    if (before === undefined) throw notFound()
    const preferred = input.preferred || before.preferred
    if (input.preferred) await preferNone(tx, userId)
    await tx
      .update(addresses)
      .set({ ...input, preferred })
      .where(eq(addresses.id, id))
    return view({ ...before, ...input, preferred })
  })
}

/** Forgets a kept address; again, it answers the same. Of the others the oldest is preferred, if this one was. */
export async function removeAddress(
  { db }: Pick<AccountDeps, 'db'>,
  userId: string,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [next, ...more] = (await lockAll(tx, userId)).filter((one) => one.id !== id)
    await tx.delete(addresses).where(and(eq(addresses.userId, userId), eq(addresses.id, id)))
    if (next === undefined || [next, ...more].some(({ preferred }) => preferred)) return
    await tx.update(addresses).set({ preferred: true }).where(eq(addresses.id, next.id))
  })
}
