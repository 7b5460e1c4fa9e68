import type { FoundAtDesk } from '@befaqt/domain/api/desk-api'
import type { Right } from '@befaqt/domain/rights'
import { peopleFound } from '#server/accounts/index.ts'
import { boxesFound } from '#server/boxes/index.ts'
import { productsFound } from '#server/catalogue/index.ts'
import type { Db } from '#server/db/client.ts'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import { newestFound } from '#server/orders/index.ts'

/** Of each kind. */
const MOST = 5

/**
 * What staff look for by any word or number, a few of each kind that their rights open; one after the other on the
 * connection of a search.
 */
export async function find(db: Db, principal: Principal, q: string): Promise<FoundAtDesk> {
  const ifMay = async <Row>(right: Right, look: () => Promise<Row[]>): Promise<Row[]> =>
    hasRight(principal, right) ? look() : []
  return {
    orders: await ifMay('order:read', () => newestFound(db, q, MOST)),
    products: await ifMay('shop:write', () => productsFound(db, q, MOST)),
    boxes: await ifMay('box:write', () => boxesFound(db, q, MOST)),
    people: await ifMay('user:write', () => peopleFound(db, q, MOST)),
  }
}
