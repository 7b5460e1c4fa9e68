import { ShopError } from '@befaqt/domain/errors'
import type { PlaceOrder } from '@befaqt/domain/order'
import { orderedGrams } from '@befaqt/domain/order-totals'
import { offered } from '@befaqt/domain/preparation'
import type { PreparedKind } from '@befaqt/domain/statuses'
import type { ProductRow } from '#server/catalogue/index.ts'
import type { WaitingLine } from '#server/db/schema/waiting-orders.ts'

/** A line before its order has an id. */
export type NewLine = WaitingLine

/** A line at today's price. What is not offered of it leaves it whole. */
export const newLine = (
  product: ProductRow,
  quantity: number,
  position: number,
  kind?: PreparedKind,
): NewLine => {
  const preparation = offered(product, kind) ?? null
  return {
    position,
    productId: product.id,
    title: product.title,
    priceCents: product.priceCents + (preparation?.feeCents ?? 0),
    discount: product.discount,
    preparation,
    unit: product.unit,
    includeGst: product.includeGst,
    quantity,
    orderedGrams: orderedGrams(product.unit, quantity),
    origin: product.origin || null,
  }
}

/** What a line costs now, as a refusal says it. */
export const pricedNow = ({ productId, priceCents, discount, unit, preparation }: NewLine) => ({
  product_id: productId,
  price: priceCents,
  discount,
  unit,
  ...(preparation && { preparation: preparation.kind }),
})

/**
 * Checks that these lines count in what their products are sold by: two kilograms are not two bags. Products that are not
 * there are passed over.
 * @throws ShopError `price.changed`, details `{ lines }` as `priceChanged`, without a total
 */
export function assertUnits(
  products: ReadonlyMap<string, ProductRow>,
  lines: readonly PlaceOrder['lines'][number][],
): void {
  const others = lines.flatMap(({ product_id, quantity, unit, preparation }) => {
    const product = products.get(product_id)
    if (product === undefined || unit === undefined || unit === product.unit) return []
    const now = newLine(product, quantity, 1, preparation)
    return [{ ...pricedNow(now), ...(now.preparation === null && { was: preparation }) }]
  })
  if (others.length > 0)
    throw new ShopError('price.changed', 'Some products are sold by another unit now.', {
      details: { lines: others },
    })
}
