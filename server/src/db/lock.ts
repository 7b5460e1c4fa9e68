import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Tx } from './client.ts'
import { boxes } from './schema/boxes.ts'
import { coupons } from './schema/coupons.ts'
import { orders, slots } from './schema/orders.ts'
import { products } from './schema/shop.ts'
import { inByteOrder } from './search-and-order.ts'

const tables = { orders, products, boxes, slots, coupons }
type Kind = keyof typeof tables

/** What may still be locked after rows of each kind: the one order in which kinds are taken. */
type After = {
  orders: 'products' | 'boxes' | 'slots' | 'coupons'
  products: 'boxes' | 'slots' | 'coupons'
  boxes: 'slots' | 'coupons'
  slots: 'coupons'
  coupons: never
}

/** 'no key update' lets others write rows that refer to these; 'key share' keeps others only from deleting them. */
type Strength = 'update' | 'no key update' | 'key share'

type Row<K extends Kind> = (typeof tables)[K]['$inferSelect']
export type Rows<K extends Kind> = Map<string, Row<K>>

/**
 * What a transaction may still lock. Functions that lock rows take it from their caller, and pass on what is left: to
 * take an earlier kind after a later one does not compile.
 */
export type Locks<Left extends Kind> = { readonly tx: Tx } & {
  readonly [K in Left]: (
    ids: Iterable<string>,
    how?: Strength,
  ) => Promise<[rows: Rows<K>, left: Locks<After[K]>]>
}

const fromCoupons = (tx: Tx): Locks<'coupons'> => ({
  tx,
  coupons: async (ids, how) => [await take(tx, 'coupons', ids, how), { tx }],
})

const fromSlots = (tx: Tx): Locks<'slots' | 'coupons'> => ({
  ...fromCoupons(tx),
  slots: async (ids, how) => [await take(tx, 'slots', ids, how), fromCoupons(tx)],
})

const fromBoxes = (tx: Tx): Locks<'boxes' | 'slots' | 'coupons'> => ({
  ...fromSlots(tx),
  boxes: async (ids, how) => [await take(tx, 'boxes', ids, how), fromSlots(tx)],
})

const fromProducts = (tx: Tx): Locks<'products' | 'boxes' | 'slots' | 'coupons'> => ({
  ...fromBoxes(tx),
  products: async (ids, how) => [await take(tx, 'products', ids, how), fromBoxes(tx)],
})

/**
 * Begins to lock, once in a transaction. Each kind reads and locks those of the rows that there are, in the order of
 * their bytes, whatever the database's collation, so that two transactions never wait for each other.
 */
export const lock = (tx: Tx): Locks<Kind> => ({
  ...fromProducts(tx),
  orders: async (ids, how) => [await take(tx, 'orders', ids, how), fromProducts(tx)],
})

/** Rows that are locked before others get their turn: the embedded database runs in this process. */
const PART = 250

async function take<K extends Kind>(
  tx: Tx,
  kind: K,
  ids: Iterable<string>,
  how: Strength = 'update',
): Promise<Rows<K>> {
  const table = tables[kind]
  const wanted = [...new Set(ids)].sort()
  const found: Rows<K> = new Map()
  for (let from = 0; from < wanted.length; from += PART) {
    if (from > 0) await yieldToEventLoop()
    const part = wanted.slice(from, from + PART)
    const rows = await tx
      .select()
      .from(table as (typeof tables)[Kind])
      .where(sql`${table.id} = any(${sql.param(part)}::text[])`)
      .orderBy(inByteOrder(table.id))
      .for(how)
    for (const row of rows) found.set(row.id, row as Row<K>)
  }
  return found
}
