import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { numberSequences } from '#server/db/schema/orders.ts'

/**
 * The next number of a sequence that starts anew each year of market time, by the database's clock. Its row is locked
 * until the transaction ends: no number is given twice, and one that was rolled back is given again. Take it last.
 */
export async function nextNumber(
  tx: Tx,
  sequence: 'order' | 'invoice',
  timeZone: string,
): Promise<{ year: number; count: number }> {
  const year = sql`extract(year from clock_timestamp() at time zone ${timeZone})::int`
  const [next] = await tx
    .insert(numberSequences)
    .values({ name: sql`${`${sequence}-`}::text || ${year}`, last: 1 })
    .onConflictDoUpdate({ target: numberSequences.name, set: { last: sql`${numberSequences.last} + 1` } })
    .returning()
  if (next === undefined) throw new Error(`the sequence ${sequence} has no number`)
  return { year: Number(next.name.slice(-4)), count: next.last }
}
