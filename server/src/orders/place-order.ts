import type { PlacedAnswer } from '@befaqt/domain/api/waiting-order-api'
import type { PlaceOrder } from '@befaqt/domain/order'
import { changeCatalogue } from '#server/catalogue/index.ts'
import type { Db } from '#server/db/client.ts'
import { type GroupCommit, groupCommit } from '#server/db/group-commit.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import { isDatabaseUnreachable } from '#server/db/unreachable.ts'
import type { Principal } from '#server/identity/principal.ts'
import { assertAccount } from './hold-stock.ts'
import type { RepeatableRequest } from './idempotency.ts'
import { orderLink } from './order-access.ts'
import type { OrderDeps } from './order-deps.ts'
import { placeTogether, type Response, type Stored, type Wish } from './place-together.ts'

/**
 * Places an order: stock, slot, number, order and email in one transaction, once for each key, with the orders that come
 * meanwhile (0088). A large first order is written down and takes nothing until it is confirmed. `replayed`: it is the
 * response to the same request before.
 * @throws ShopError `stock.insufficient`, `price.changed`, `slot.unavailable`, `idempotency.running`,
 *   `idempotency.differs`, `coupon.refused`, `rate.limited`, `auth.required`, `input.invalid` for a card that is not taken
 */
export async function placeOrder(
  deps: OrderDeps,
  principal: Principal,
  input: PlaceOrder,
  from: { request: RepeatableRequest; network: string },
): Promise<{ placed: PlacedAnswer; replayed: boolean }> {
  assertAccount(principal, input)
  const { response, replayed } = await groupOf(deps.db).add({ deps, principal, input, ...from })
  const stored: Stored = JSON.parse(response)
  // The link is not stored with the response: it is as good as a password.
  return { placed: { ...stored, link: orderLink(deps, stored._id) }, replayed }
}

/** Orders of a group at most: what they take is locked until all of them are committed. */
const MAX_GROUP = 50

type Asked = Wish & { deps: OrderDeps }

/** What gathers orders: of each database one group at a time, while the next gathers. */
const groups = new WeakMap<Db, GroupCommit<Asked, Response>>()

function groupOf(db: Db): GroupCommit<Asked, Response> {
  const group = groups.get(db) ?? groupCommit(placeGroup, { most: MAX_GROUP })
  groups.set(db, group)
  return group
}

/**
 * Places orders in one transaction. When it fails as a whole, each is tried by itself, so that one that fails is not the
 * end of the others; not when the database can't be reached.
 */
async function placeGroup(asked: readonly Asked[]): Promise<(Response | Error)[]> {
  try {
    return await commit(asked)
  } catch (error) {
    if (asked.length === 1 || isDatabaseUnreachable(error)) throw error
    const each: (Response | Error)[] = []
    for (const one of asked) each.push(...(await commit([one]).catch((cause: Error) => [cause])))
    return each
  }
}

async function commit(asked: readonly Asked[]): Promise<(Response | Error)[]> {
  const [first] = asked
  if (first === undefined) return []
  const { deps } = first
  const { answers } = await changeCatalogue(
    deps,
    async (tx) => {
      await awaitStandby(tx)
      return placeTogether(tx, deps, asked)
    },
    ({ shown }) => shown.length > 0,
    ({ shown }) => ({ products: shown }),
  )
  return answers
}
