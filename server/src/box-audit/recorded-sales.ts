import { sql } from 'drizzle-orm'
import type { BoxRow } from '#server/boxes/records/read-records.ts'
import { type Db, rows } from '#server/db/client.ts'

/**
 * Where a box's records of sales and losses don't add up to what orders and losses say, in grams and pieces. What came
 * back to a box after it was sealed is in no record.
 */
export async function saleDifferences(
  { db }: { db: Db },
  { id, sealed }: Pick<BoxRow, 'id' | 'sealed'>,
): Promise<string[]> {
  const [sums] = await rows<{ recorded: number; said: number }>(
    db,
    sql`select
      (select coalesce(sum(coalesce((d->>'grams')::int, (d->>'pieces')::int)
          * case when d->>'returned' = 'true' then -1 else 1 end), 0)
        from (select body::jsonb->'data' as d from records where box_id = ${id} and kind in ('sale', 'loss')) said
      )::float8 as recorded,
      (select coalesce(sum(b.amount), 0) from order_line_boxes b join orders o on o.id = b.order_id
        where b.box_id = ${id} and o.status <> 'PLACED')::float8
      + (select coalesce(sum(amount), 0) from box_losses where box_id = ${id})::float8 as said`,
  )
  const { recorded, said } = sums ?? { recorded: 0, said: 0 }
  const isRight = sealed ? recorded >= said : recorded === said
  return isRight ? [] : [`${recorded} sold or lost by its records, ${said} by orders and losses`]
}
