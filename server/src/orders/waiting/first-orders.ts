import { type SQL, sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import type { OrderRules } from '#server/site/site.ts'

/** SQL: an email address as first orders are told by. */
const keyOf = (email: string): SQL => sql`lower(${email}::text)`

/** Was an order handed out before that was placed under this email? */
export async function hasOrderedBefore(tx: Tx, email: string): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select 1 as one from order_contacts c join orders o on o.id = c.order_id
        where lower(c.email) = ${keyOf(email)} and o.status = 'COMPLETED' limit 1`,
  )
  return found.length > 0
}

/** Is it so large that it waits as a first order? What is counted weighs nothing here. */
export function isLargeFirst(
  lines: readonly { orderedGrams: number | null }[],
  total: number,
  { firstOrderDollars, firstOrderKg }: OrderRules,
): boolean {
  const grams = lines.reduce((sum, { orderedGrams }) => sum + (orderedGrams ?? 0), 0)
  return total > firstOrderDollars * 100 || grams > firstOrderKg * 1_000
}
