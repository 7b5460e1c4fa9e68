import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { asc, inArray, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Db, ONE_MOMENT, rows, type Tx } from '#server/db/client.ts'
import { salesParts } from '#server/db/schema/reports.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { lockProjection, waitingFor } from './projection.ts'
import { partsOf } from './sales-parts.ts'
import { named, type SalesDeps, sales, spread } from './sales-projection.ts'

/** Orders that are compared at once. */
const PART = 500
/** Sums that are named. */
const MAX_NAMED = 100

/** Of these orders those that are otherwise in the sums than they are. What waits to be put in is not compared. */
async function differingOrders(
  tx: Tx,
  ids: readonly string[],
  { siteFile }: Pick<SalesDeps, 'siteFile'>,
): Promise<string[]> {
  const waiting = new Set(await waitingFor(tx, sales({ siteFile })))
  const fresh = await partsOf(tx, ids, siteFile.market.timeZone)
  const stored = await tx
    .select()
    .from(salesParts)
    .where(inArray(salesParts.orderId, [...ids]))
    .orderBy(asc(salesParts.orderId), asc(salesParts.position))
  const [freshOf, storedOf] = [fresh, stored].map((parts) => Map.groupBy(parts, ({ orderId }) => orderId))
  return ids.filter((id) => !waiting.has(id) && !isDeepStrictEqual(freshOf?.get(id), storedOf?.get(id)))
}

/** Ids of orders, and of what the sums take for orders, after one, in their order. */
const idsAfter = async (db: Db | Tx, last: string): Promise<string[]> => {
  const found = await rows<{ id: string }>(
    db,
    sql`select id from orders where id > ${last} union select order_id from sales_parts where order_id > ${last}
        order by id limit ${PART}`,
  )
  return found.map(({ id }) => id)
}

/**
 * Compares the sums of sales with a scan of all orders: first each order with what it is in the sums, then the sums with
 * these. In sentences; none: they agree.
 */
export async function* diffSales({ db, siteFile }: SalesDeps): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const ids = await idsAfter(db, last)
    const found = await db.transaction((tx) => differingOrders(tx, ids, { siteFile }), ONE_MOMENT)
    for (const id of found) yield `order ${id} is in the sums of sales otherwise than it is`
    last = ids.at(-1) ?? ''
    if (ids.length < PART) break
  }
  const wrong = await rows<{ what: string; period: string; key: string }>(
    db,
    sql`select what, period, key from (
          select what, period, key, ${named((column) => sql`sum(${column}) as ${column}`)}
          from (${spread(sql`select * from sales_parts`)}
            union all select what, period, key, ${named((column) => sql`-${column}`)} from sales_sums) compared
          group by what, period, key) d
        where ${named((column) => sql`${column} <> 0`, sql` or `)}
        order by what, period, key limit ${MAX_NAMED}`,
  )
  for (const { what, period, key } of wrong)
    yield `the sum of ${what} ${key} in ${period} is not that of its orders`
}

export const SALES_AUDIT_QUEUE = 'reports.audit-sample'

/** Parts of 500 orders a night. */
const SAMPLES = 4

/**
 * The job: compares so many orders from a random one on with what they are in the sums. What differs is an error in the
 * log, and is put right.
 */
export const auditSalesJob =
  ({ db, siteFile, log }: SalesDeps & { log: Pick<Logger, 'error'> }): JobHandler =>
  async (_payload, signal) => {
    const projection = sales({ siteFile })
    for (let last: string = randomUUID(), n = 0; n < SAMPLES; n++) {
      signal.throwIfAborted()
      const ids = await idsAfter(db, last)
      last = ids.at(-1) ?? ''
      const found = await db.transaction((tx) => differingOrders(tx, ids, { siteFile }), ONE_MOMENT)
      if (found.length === 0) continue
      log.error({ orders: found }, 'sums of sales are not those of their orders')
      await db.transaction(async (tx) => {
        await lockProjection(tx, projection)
        await projection.apply(tx, found)
      })
    }
  }
