import type { OrderView } from '@befaqt/domain/api/order-api'
import type { ProductView } from '@befaqt/domain/catalogue'
import type { Chosen } from '@befaqt/domain/change-cart'
import { withCoupon } from '@befaqt/domain/coupon'
import { type Cents, cents } from '@befaqt/domain/money'
import type { AmendOrder } from '@befaqt/domain/order'
import { lineTotals, lowerPrice, sumTotals } from '@befaqt/domain/order-totals'
import { offered, preparedAnew, preparedPrice, preparedToday } from '@befaqt/domain/preparation'

export type Address = NonNullable<OrderView['address']>
type Line = OrderView['lines'][number]

/**
 * What its buyer wants to be another than it is in an order; null: nothing is said of it. `quantities` and `preparations`:
 * of its lines, by product, so that they are of the same fish where another tab changed the order; 0: it is taken out.
 */
export type Draft = {
  quantities: Readonly<Record<string, number>>
  preparations: Readonly<Record<string, Chosen>>
  slot: OrderView['slot'] | null
  note: string | null
  address: Address | null
}

export const untouched: Draft = { quantities: {}, preparations: {}, slot: null, note: null, address: null }

/** The lines that can be changed: what the shop has left out stays so. */
export const changeable = ({ lines }: Pick<OrderView, 'lines'>): Line[] =>
  lines.filter(({ leftOut }) => leftOut === null)

export const wantedOf = ({ quantities }: Draft, { product_id, quantity }: Line): number =>
  quantities[product_id] ?? quantity

/** How a line is to be prepared. */
export const chosenOf = ({ preparations }: Draft, { product_id, preparation }: Line): Chosen =>
  preparations[product_id] ?? preparation?.kind ?? 'whole'

export type Changes = Omit<AmendOrder, 'version' | 'expectedTotal'>

const addressText = (address: Address | null): string =>
  address ? [address.street, address.suburb, address.state, address.postcode].join('\n') : ''

/** What is another than in the order; null: nothing is. */
export function changesOf(order: OrderView, draft: Draft): Changes | null {
  const lines = changeable(order).flatMap((line) => {
    const [quantity, chosen] = [wantedOf(draft, line), chosenOf(draft, line)]
    const isOther = quantity > 0 && chosen !== (line.preparation?.kind ?? 'whole')
    if (quantity === line.quantity && !isOther) return []
    return [{ position: line.position, quantity, ...(isOther && { preparation: chosen }) }]
  })
  const { slot, note, address } = draft
  const changes: Changes = {
    ...(lines.length > 0 && { lines }),
    ...(slot && slot._id !== order.slot._id && { slot: slot._id }),
    ...(note !== null && note !== order.note && { note }),
    ...(address && addressText(address) !== addressText(order.address) && { address }),
  }
  return Object.keys(changes).length === 0 ? null : changes
}

/** What it would come to, by the rules of the shop. @param today those of its products that are on sale */
export function totalOf(order: OrderView, draft: Draft, today: readonly ProductView[]): Cents {
  const each = order.lines.flatMap((line) => {
    const quantity = line.leftOut === null ? wantedOf(draft, line) : line.quantity
    if (quantity === 0) return []
    const product = today.find(({ _id }) => _id === line.product_id)
    const { priceCents, preparation } = priceOf(line, chosenOf(draft, line), product)
    const agreed = { priceCents, discount: line.discount }
    const priced =
      product === undefined || quantity <= line.quantity
        ? agreed
        : lowerPrice(
            agreed,
            {
              priceCents: preparedPrice(product.price, preparedToday(product, preparation)),
              discount: product.discount,
            },
            quantity,
          )
    const { includeGST, product_id: productId } = line
    const sums = lineTotals({ ...priced, quantity, includeGST })
    const charged = line.leftOut === null ? sums : lineTotals({ ...priced, quantity: 0, includeGST })
    return [{ ...charged, productId, includeGST, ordered: sums.total }]
  })
  return sumTotals(withCoupon(each, order.coupon ?? null), cents(order.totals.delivery)).total
}

/** What a unit of a line costs, prepared as it is to be. @param product as it is on sale today */
export function priceOf(line: Line, chosen: Chosen, product: ProductView | undefined) {
  const agreed = { priceCents: cents(line.price), preparation: line.preparation }
  if (chosen === (line.preparation?.kind ?? 'whole')) return agreed
  const preparation = product && offered(product, chosen)
  return { priceCents: preparedAnew(agreed, preparation), preparation }
}
