import { amountIn } from '@befaqt/domain/amount'
import type { BoxRecord } from '@befaqt/provenance'
import { amountKinds, type Offer, parseStated } from '@befaqt/provenance/amounts'
import { weigh } from '@befaqt/provenance/balance'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { type BoxRow, readableRecord } from '#server/boxes/read-records.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { type BoxOffers, records } from '#server/db/schema/boxes.ts'

/** What of a box's history its weight follows from, as whoever checks its proof reads it. */
export async function weighable(tx: Tx, boxID: string): Promise<BoxRecord[]> {
  const kinds = ['catch', 'correction', ...amountKinds]
  const found = await tx
    .select()
    .from(records)
    .where(and(eq(records.boxId, boxID), inArray(records.kind, kinds)))
    .orderBy(asc(records.seq))
  return found.flatMap((row) => readableRecord(row) ?? [])
}

/** Grams that are assigned to orders that are not packed yet: no record says so. */
export async function promisedGrams(tx: Tx, boxID: string): Promise<number> {
  const found = await rows<{ unit: string; amount: number }>(
    tx,
    sql`select l.unit, sum(b.amount)::float8 as amount from order_line_boxes b
        join orders o on o.id = b.order_id
        join order_lines l on l.order_id = b.order_id and l.position = b.position
        where b.box_id = ${boxID} and o.status = 'PLACED' group by l.unit`,
  )
  return found
    .map(({ unit, amount }) => amountIn(unit, amount))
    .reduce((sum, { value, unit }) => sum + (unit === 'grams' ? value : 0), 0)
}

/**
 * Grams that a box may still give, of all products together; null: it was never weighed, and only what is linked to it
 * bounds it. The box must be locked.
 */
export async function gramsLeft(tx: Tx, boxID: string): Promise<number | null> {
  const weighedKinds = and(eq(records.boxId, boxID), eq(records.kind, 'weight'))
  if ((await tx.$count(records, weighedKinds)) === 0) return null
  const { left } = weigh({ records: await weighable(tx, boxID) }).balance
  return left === null ? null : Math.max(0, left - (await promisedGrams(tx, boxID)))
}

/**
 * Grams that the records of a box leave when it has got these, for its row; null: it was never weighed. Other kinds change
 * nothing.
 */
export async function gramsLeftAfter(
  tx: Tx,
  { id, gramsLeft }: Pick<BoxRow, 'id' | 'gramsLeft'>,
  added: readonly { kind: string }[],
): Promise<number | null> {
  const kinds = new Set(added.map(({ kind }) => kind))
  if (!kinds.has('weight') && gramsLeft === null) return null
  if (!['weight', 'sale', 'loss', 'correction'].some((kind) => kinds.has(kind))) return gramsLeft
  return weigh({ records: await weighable(tx, id) }).balance.left
}

/** What the newest offers of a box say is on sale from it, when it has got these records. */
export function offersAfter(before: BoxOffers, added: readonly { kind: string; data: unknown }[]): BoxOffers {
  const offers = new Map(Object.entries(before))
  for (const { kind, data } of added) {
    if (kind !== 'offer') continue
    const { product, linked, grams = null } = parseStated('offer', data) as Offer
    if (linked) offers.set(product, grams)
    else offers.delete(product)
  }
  return Object.fromEntries(offers)
}
