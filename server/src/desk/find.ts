import type { FoundAtDesk } from '@befaqt/domain/api/desk-api'
import { peopleFound } from '#server/accounts/index.ts'
import { boxesFound } from '#server/boxes/index.ts'
import { productsFound } from '#server/catalogue/index.ts'
import type { Db } from '#server/db/client.ts'
import { newestFound } from '#server/orders/index.ts'

/** Of each kind. */
const MOST = 5

/** What staff look for by any word or number, a few of each kind; one after the other on the connection of a search. */
export async function find(db: Db, q: string): Promise<FoundAtDesk> {
  return {
    orders: await newestFound(db, q, MOST),
    products: await productsFound(db, q, MOST),
    boxes: await boxesFound(db, q, MOST),
    people: await peopleFound(db, q, MOST),
  }
}
