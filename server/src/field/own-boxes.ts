import { measureOf } from '@befaqt/domain/amount'
import type { FieldBox } from '@befaqt/domain/api/field-api'
import { asOf, datedFacts } from '@befaqt/domain/freshness-facts'
import { type AsOf, freshnessAt, hasFreshness, NO_FRESHNESS } from '@befaqt/domain/freshness-word'
import { type Cents, discounted } from '@befaqt/domain/money'
import { partyOf } from '@befaqt/domain/supplier'
import { asc, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { BoxRow, Market } from '#server/boxes/index.ts'
import { measured, storedSummary } from '#server/catalogue/index.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { orderLineBoxes, orderLines } from '#server/db/schema/orders.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import { fieldEntries } from '#server/db/schema/suppliers.ts'
import { timeText } from '#server/db/stored-values.ts'
import { outcomeOf } from './record-entry.ts'
import { supplierOf } from './suppliers.ts'

/** Boxes that a phone shows: the newest. */
const MAX_BOXES = 100

type Deps = { db: Db; now: () => Date; siteFile: { market: Market } }

/** The boxes that a supplier recorded or holds, newest first, with what became of them: never another's. */
export async function ownBoxes({ db, now, siteFile }: Deps, userId: string): Promise<FieldBox[]> {
  const { timeZone } = siteFile.market
  const at = asOf(now().getTime(), timeZone)
  const { party, fisher } = await supplierOf(db, userId)
  const found = await db
    .select()
    .from(boxes)
    .where(or(eq(boxes.supplierId, userId), eq(boxes.holder, party)))
    .orderBy(desc(boxes.createdAt), desc(boxes.id))
    .limit(MAX_BOXES)
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  const [sales, flagged] = await Promise.all([salesOf(db, ids), flaggedOf(db, ids)])
  return found.map((box) => ({
    boxID: box.id,
    species: box.species,
    caughtAt: timeText(box.caughtAt),
    stage: box.stage,
    sealed: box.sealed,
    recalled: box.recallId !== null,
    freshness: freshnessOf(box, at, timeZone),
    coldChain: box.summary?.coldChain ?? null,
    holder: box.holder ?? (box.supplierId === userId ? partyOf(fisher) : box.trader),
    own: box.supplierId === userId,
    products: (sales.get(box.id) ?? []).map(({ boxId: _, ...product }) => product),
    flags: (flagged.get(box.id) ?? []).map((row) => outcomeOf(row, now())),
  }))
}

/** As on cards, of what was stored of the box. */
function freshnessOf(
  { summary, recallId, offSaleAt }: Pick<BoxRow, 'summary' | 'recallId' | 'offSaleAt'>,
  at: AsOf,
  timeZone: string,
): FieldBox['freshness'] {
  const stored = storedSummary(summary)
  return stored === null || !hasFreshness({ recall: recallId, offSale: offSaleAt !== null })
    ? NO_FRESHNESS
    : freshnessAt(datedFacts(stored, timeZone), at)
}

/** What is sold of each box, and for how much: no buyer. */
async function salesOf(db: Db, ids: readonly string[]) {
  const sold = sql<Record<string, number> | null>`(select json_object_agg(s.unit, s.amount) from (
    select ${orderLines.unit}, sum(${orderLineBoxes.amount}) as amount from ${orderLineBoxes}
    join ${orderLines} on ${orderLines.orderId} = ${orderLineBoxes.orderId}
      and ${orderLines.position} = ${orderLineBoxes.position}
    where ${orderLineBoxes.boxId} = ${productBoxes.boxId} and ${orderLines.productId} = ${products.id}
    group by ${orderLines.unit}) s)`
  const found = await db
    .select({ boxId: productBoxes.boxId, product: products, sold })
    .from(productBoxes)
    .innerJoin(products, eq(products.id, productBoxes.productId))
    .where(inArray(productBoxes.boxId, [...ids]))
    .orderBy(asc(products.title), asc(products.id))
  const view = found.map(({ boxId, product, sold }) => {
    const { value, unit } = measured(measureOf(product.unit), sold)
    return {
      boxId,
      title: product.title,
      unit: product.unit,
      price: product.status === 'ACTIVE' ? discounted(product.priceCents as Cents, product.discount) : null,
      sold: value,
      weighed: unit === 'grams',
    }
  })
  return Map.groupBy(view, ({ boxId }) => boxId)
}

async function flaggedOf(db: Db, ids: readonly string[]) {
  const found = await db
    .select()
    .from(fieldEntries)
    .where(
      sql`${inArray(fieldEntries.boxId, [...ids])} and (${fieldEntries.late} or ${fieldEntries.clockWrong})`,
    )
    .orderBy(asc(fieldEntries.receivedAt))
  return Map.groupBy(found, ({ boxId }) => boxId)
}
