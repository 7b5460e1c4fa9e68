import type { OrderView } from '@befaqt/domain/api/order-api'
import type { ProductCard, ProductView } from '@befaqt/domain/catalogue'
import type { Chosen } from '@befaqt/domain/change-cart'
import { withCoupon } from '@befaqt/domain/coupon'
import { addCents, type Cents, cents, centsFromDecimal } from '@befaqt/domain/money'
import type { AmendOrder } from '@befaqt/domain/order'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { lineTotals, lowerPrice, sumTotals } from '@befaqt/domain/order-totals'
import { offered, preparedAnew, preparedPrice, preparedToday } from '@befaqt/domain/preparation'

export type Address = NonNullable<OrderView['address']>
type Line = OrderView['lines'][number]
/**
 * What the form asks of a line: of the order, or one that is new, of which there is nothing in it. `key`: by which the
 * draft knows it.
 */
export type DraftLine = { key: string } & Pick<
  Line,
  | 'product_id'
  | 'title'
  | 'unit'
  | 'price'
  | 'discount'
  | 'includeGST'
  | 'quantity'
  | 'preparation'
  | 'leftOut'
>

/** A product that is to be new in an order. */
type Added = { key: string; card: ProductCard }

/**
 * What its buyer wants to be another than it is in an order; null: nothing is said of it. `quantities` and `preparations`:
 * of its lines, by product and what was agreed to be done to it, so that they are of the same fish where another tab
 * changed the order; 0: it is taken out. `added`: what is to be new in it.
 */
export type Draft = {
  quantities: Readonly<Record<string, number>>
  preparations: Readonly<Record<string, Chosen>>
  added: readonly Added[]
  kind: FulfilmentKind | null
  slot: OrderView['slot'] | null
  note: string | null
  address: Address | null
}

export const untouched: Draft = {
  quantities: {},
  preparations: {},
  added: [],
  kind: null,
  slot: null,
  note: null,
  address: null,
}

/** The lines that can be changed: what the shop has left out stays so. */
export const changeable = ({ lines }: Pick<OrderView, 'lines'>): (Line & DraftLine)[] =>
  lines.filter(({ leftOut }) => leftOut === null).map((line) => ({ ...line, key: keyOf(line) }))

const keyOf = ({ product_id, preparation }: Pick<Line, 'product_id' | 'preparation'>): string =>
  `${product_id} ${preparation?.kind ?? 'whole'}`

/** How it is to reach its buyer. */
export const kindOf = (order: Pick<OrderView, 'kind'>, draft: Draft): FulfilmentKind =>
  draft.kind ?? order.kind

/** Where a delivery is to go to: before anything is typed, to the order's address. */
export const addressOf = (order: Pick<OrderView, 'address'>, draft: Draft): Address =>
  draft.address ?? order.address ?? { street: '', suburb: '', state: 'NSW', postcode: '' }

/** When: as chosen, else as it is in the order; null: nothing was chosen yet for another way to get it. */
export const slotOf = (order: Pick<OrderView, 'kind' | 'slot'>, draft: Draft): OrderView['slot'] | null =>
  [draft.slot, order.slot].find((slot) => slot?.kind === kindOf(order, draft)) ?? null

/** What is to be new: another tab may have added it meanwhile, prepared like that. */
const addedOf = (order: Pick<OrderView, 'lines'>, draft: Draft): Added[] =>
  draft.added.filter(({ key, card }) => {
    const taken = changeable(order).filter((line) => line.product_id === card._id)
    const chosen = draft.preparations[key] ?? 'whole'
    return !taken.some((line) => chosenOf(draft, line) === chosen && wantedOf(draft, line) > 0)
  })

/** The lines as the form shows them: those that can be changed, and those that are new. */
export const linesOf = (order: OrderView, draft: Draft, today: readonly ProductView[]): DraftLine[] => [
  ...changeable(order),
  ...addedOf(order, draft).map((one) => lineOfCard(one, todayOf(today, one.card._id))),
]

/** What the lines of a product are prepared as that stay, but for one: an order has each once. */
export const takenOf = (draft: Draft, lines: readonly DraftLine[], id: string, but?: string): Chosen[] =>
  lines
    .filter((line) => line.product_id === id && line.key !== but && wantedOf(draft, line) > 0)
    .map((line) => chosenOf(draft, line))

/** What a product that is to be new is prepared as first; undefined: it is in the order in every way, or was left out. */
export function newAs(
  order: OrderView,
  draft: Draft,
  today: readonly ProductView[],
  id: string,
): Chosen | undefined {
  if (order.lines.some((line) => line.product_id === id && line.leftOut !== null)) return undefined
  const taken = takenOf(draft, linesOf(order, draft, today), id)
  const offered = todayOf(today, id)?.preparations.map(({ kind }) => kind) ?? []
  return (['whole', ...offered] as const).find((kind) => !taken.includes(kind))
}

/** A draft with a product that is new in it, prepared like that. */
export function withAdded(draft: Draft, card: ProductCard, chosen: Chosen): Draft {
  const key = `${card._id} new ${Object.keys(draft.quantities).length}`
  return {
    ...draft,
    added: [...draft.added, { key, card }],
    quantities: { ...draft.quantities, [key]: Math.min(1, card.stock) },
    preparations: { ...draft.preparations, [key]: chosen },
  }
}
/** A draft in which a product is not new any more. */
export const withoutAdded = (draft: Draft, key: string): Draft => ({
  ...draft,
  added: draft.added.filter((one) => one.key !== key),
})

/** A line that is new, at today's price. @param product as it is on sale today; undefined: not known yet */
function lineOfCard({ key, card }: Added, product: ProductView | undefined): DraftLine {
  const { title, unit, price, discount } = product ?? card
  const includeGST = product?.includeGST ?? false
  return {
    key,
    product_id: card._id,
    title,
    unit,
    price: centsFromDecimal(price),
    discount,
    includeGST,
    quantity: 0,
    leftOut: null,
  }
}

/** How much of a line is wanted. */
export const wantedOf = ({ quantities }: Draft, { key, quantity }: DraftLine): number =>
  quantities[key] ?? quantity

/** How a line is to be prepared. */
export const chosenOf = ({ preparations }: Draft, { key, preparation }: DraftLine): Chosen =>
  preparations[key] ?? preparation?.kind ?? 'whole'

export type Changes = Omit<AmendOrder, 'version' | 'expectedTotal'>

const addressText = (address: Address | null): string =>
  address ? [address.street, address.suburb, address.state, address.postcode].join('\n') : ''

/** What is another than in the order; null: nothing is. @param today what it was shown as, of its products on sale */
export function changesOf(order: OrderView, draft: Draft, today: readonly ProductView[]): Changes | null {
  const lines = changeable(order).flatMap((line) => {
    const [quantity, chosen] = [wantedOf(draft, line), chosenOf(draft, line)]
    const isOther = quantity > 0 && chosen !== (line.preparation?.kind ?? 'whole')
    if (quantity === line.quantity && !isOther) return []
    return [{ position: line.position, quantity, ...(isOther && { preparation: chosen }) }]
  })
  const added = addedOf(order, draft).map(({ key, card }) => {
    const chosen = draft.preparations[key] ?? 'whole'
    const quantity = draft.quantities[key] ?? 1
    const { unit } = todayOf(today, card._id) ?? card
    return { product_id: card._id, quantity, unit, ...(chosen !== 'whole' && { preparation: chosen }) }
  })
  const { note } = draft
  const slot = slotOf(order, draft)
  const kind = kindOf(order, draft)
  const isOther = kind !== order.kind
  const address = kind === 'delivery' ? addressOf(order, draft) : null
  const changes: Changes = {
    ...(lines.length > 0 && { lines }),
    ...(added.length > 0 && { added }),
    ...(isOther && { kind }),
    ...(slot && slot._id !== order.slot._id && { slot: slot._id }),
    ...(note !== null && note !== order.note && { note }),
    ...(address && addressText(address) !== addressText(order.address) && { address }),
  }
  return Object.keys(changes).length === 0 ? null : changes
}

/** Does it go where the order goes? Then its delivery keeps the terms that were agreed on. */
export const goesThere = (order: OrderView, draft: Draft): boolean =>
  kindOf(order, draft) === order.kind && addressOf(order, draft).postcode === (order.address?.postcode ?? '')

/**
 * What it would come to, by the rules of the shop, with a fee of its delivery, which depends on `goods`.
 * @param today those of its products that are on sale
 */
export function sumsOf(
  order: OrderView,
  draft: Draft,
  today: readonly ProductView[],
): { goods: Cents; totalWith: (fee: Cents) => Cents } {
  const leftOut = order.lines.filter((line) => line.leftOut !== null)
  const each = [...leftOut.map((line) => ({ ...line, key: '' })), ...linesOf(order, draft, today)].flatMap(
    (line) => {
      const quantity = line.leftOut === null ? wantedOf(draft, line) : line.quantity
      if (quantity === 0) return []
      const product = todayOf(today, line.product_id)
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
    },
  )
  const goods = addCents(each.map(({ ordered }) => ordered))
  const charged = withCoupon(each, order.coupon ?? null)
  return { goods, totalWith: (fee) => sumTotals(charged, fee).total }
}

/** What a unit of a line costs, prepared as it is to be. @param product as it is on sale today */
export function priceOf(line: DraftLine, chosen: Chosen, product: ProductView | undefined) {
  const agreed = { priceCents: cents(line.price), preparation: line.preparation }
  if (chosen === (line.preparation?.kind ?? 'whole')) return agreed
  const preparation = product && offered(product, chosen)
  return { priceCents: preparedAnew(agreed, preparation), preparation }
}

/** A product as it is on sale today. */
export const todayOf = (today: readonly ProductView[], id: string): ProductView | undefined =>
  today.find(({ _id }) => _id === id)
