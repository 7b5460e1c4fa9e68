import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'

/**
 * The next number of a sequence that starts anew each year of market time, by the database's clock. Its row is locked
 * until the transaction ends: no number is given twice, and one that was rolled back is given again. Take it last.
 */
export async function nextNumber(
  tx: Tx,
  sequence: 'order' | 'invoice',
  timeZone: string,
): Promise<{ year: number; count: number }> {
  const [next] = await rows<{ year: number; last: number }>(
    tx,
    sql`with this as (select extract(year from clock_timestamp() at time zone ${timeZone})::int as year)
        insert into number_sequences as s (name, last) select ${sequence} || '-' || year, 1 from this
        on conflict (name) do update set last = s.last + 1
        returning last, right(name, 4)::int as year`,
  )
  if (next === undefined) throw new Error(`the sequence ${sequence} has no number`)
  return { year: next.year, count: next.last }
}
