import type { PackingBox } from '@befaqt/domain/api/order-api'
import { sql } from 'drizzle-orm'
import { isStopped, type Link, leftOfLink, takenFromBox } from '#server/catalogue/sellable.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'

type Row = Link & { product_id: string; box_id: string; caught_at: string | null; best_by: string | null }

/**
 * What is left of products in the boxes that they are linked to and that are neither sealed, recalled nor off sale:
 * first expired, first out, so that the earliest best-by date comes first.
 * @param but an order whose own boxes don't count as sold
 * @param allowed the only boxes to return; null: all
 */
export async function boxesOfProducts(
  db: Db | Tx,
  productIds: readonly string[],
  { but, allowed = null }: { but?: string; allowed?: readonly string[] | null } = {},
): Promise<PackingBox[]> {
  const found = await rows<Row>(
    db,
    sql`select pb.product_id, coalesce(pb.unit, p.unit) as unit, pb.box_id, b.caught_at::text as caught_at,
          b.summary->>'bestBy' as best_by,
          coalesce(pb.quantity, 0)::float8 as quantity, sold.grams, sold.pieces, lost.amount as lost
        from product_boxes pb join products p on p.id = pb.product_id join boxes b on b.id = pb.box_id
        ${takenFromBox(but)}
        where pb.product_id = any(${sql.param(productIds)}::text[]) and not b.sealed and not ${isStopped(sql`b`)}
          and (${allowed === null} or pb.box_id = any(${sql.param(allowed ?? [])}::text[]))
        order by b.summary->>'bestBy' nulls last, b.caught_at nulls last, pb.box_id collate "C"`,
  )
  return found.map(({ product_id, box_id, caught_at, best_by, ...link }) => ({
    product_id,
    boxID: box_id,
    caughtAt: caught_at === null ? null : new Date(caught_at).toISOString(),
    bestBy: best_by,
    left: leftOfLink(link),
  }))
}

/** Positions of those lines whose product comes from boxes, and so is packed with a box or with a reason. */
export async function boxedPositions(
  db: Db | Tx,
  lines: readonly { position: number; productId: string }[],
): Promise<number[]> {
  const ids = [...new Set(lines.map(({ productId }) => productId))]
  const found = await rows<{ id: string }>(
    db,
    sql`select distinct product_id as id from product_boxes where product_id = any(${sql.param(ids)}::text[])`,
  )
  const boxed = new Set(found.map(({ id }) => id))
  return lines.filter(({ productId }) => boxed.has(productId)).map(({ position }) => position)
}
