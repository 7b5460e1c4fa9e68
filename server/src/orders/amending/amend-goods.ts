import { MAX_CART_LINES } from '@befaqt/domain/cart'
import { ShopError } from '@befaqt/domain/errors'
import { cents } from '@befaqt/domain/money'
import { type AmendOrder, orderedKey } from '@befaqt/domain/order'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { deliveryTerms, lowerPrice, orderedGrams, tooLittle } from '@befaqt/domain/order-totals'
import { nameOf, offered, preparedAnew, preparedToday } from '@befaqt/domain/preparation'
import type { PreparedKind } from '@befaqt/domain/statuses'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { AvailableProduct, Shopper } from '../available-stock.ts'
import { assertServes } from '../available-times.ts'
import { userIdOf } from '../hold-stock.ts'
import { assertUnits, type NewLine, newLine } from '../new-lines.ts'
import type { OrderDeps } from '../order-deps.ts'
import { isLargeFirst, orderedBefore, shareholders } from '../order-limits.ts'
import { type AgreedDelivery, deliveryBy, goodsOf, type PricedLine, totalsOfOrder } from '../order-totals.ts'
import type { OrderLineRow, WholeOrder } from '../order-views.ts'
import type { OrderLocks } from '../read-orders.ts'
import type { SlotRow } from '../slots.ts'
import { Available } from '../take-goods.ts'

/**
 * Another amount of a line, 0: it is taken out, or another preparation. `kind`: as it is to be; undefined: whole. `path`:
 * where the request has it.
 */
export type LineChange = {
  line: OrderLineRow
  quantity: number
  kind: PreparedKind | undefined
  path: string
}

/**
 * The lines of which another amount or preparation is wanted.
 * @throws ShopError `input.invalid` with the path of a line that is not there, `order.state` when nothing would be left
 */
export function lineChanges(
  { order, lines }: WholeOrder,
  { lines: wanted = [], added = [] }: Pick<AmendOrder, 'lines' | 'added'>,
): LineChange[] {
  const changes = wanted.map(({ position, quantity, preparation }, i): LineChange => {
    const line = lines.find((one) => one.position === position)
    if (line === undefined) throw fieldError(`lines[${i}].position`, 'There is no such line.')
    if (line.leftOutReason !== null)
      throw fieldError(`lines[${i}].position`, 'We had to leave it out of the order.')
    const kind = preparation ?? line.preparation?.kind
    return { line, quantity, kind: kind === 'whole' ? undefined : kind, path: `lines[${i}]` }
  })
  const taken = (line: OrderLineRow): number =>
    changes.find((change) => change.line === line)?.quantity ?? line.quantity
  if (added.length === 0 && !lines.some((line) => line.leftOutReason === null && taken(line) > 0))
    throw new ShopError('order.state', 'Nothing would be left of this order: cancel it instead.', {
      details: { status: order.status },
    })
  return changes.filter((change) => change.quantity !== change.line.quantity || isPreparedAnew(change))
}

/** Is something else to be done to a line that stays? */
export const isPreparedAnew = ({ line, quantity, kind }: LineChange): boolean =>
  quantity > 0 && kind !== line.preparation?.kind

const keyOf = ({ productId, preparation }: OrderLineRow): string =>
  orderedKey({ product_id: productId, preparation: preparation?.kind })

/**
 * An order has a product once for what is done to it, and what was left out of it does not come in again.
 * @throws ShopError `input.invalid` with the path of a line that would be another's double
 */
function assertApart({ before: { lines }, wanted: { added = [] }, changes }: Amendment): void {
  const anew = changes.filter(isPreparedAnew)
  const gone = changes.filter((change) => change.quantity === 0)
  const others = lines.filter((line) => ![...anew, ...gone].some((change) => change.line === line))
  const taken = new Set(others.map(keyOf))
  for (const { line, kind, path } of anew) {
    const key = orderedKey({ product_id: line.productId, preparation: kind })
    if (taken.has(key)) throw fieldError(`${path}.preparation`, 'is in the order already: change that line')
    taken.add(key)
  }
  for (const [i, line] of added.entries()) {
    const path = `added[${i}].product_id`
    const { product_id } = line
    if (lines.some(({ productId, leftOutReason }) => productId === product_id && leftOutReason !== null))
      throw fieldError(path, 'had to be left out of it')
    if (taken.has(orderedKey(line))) throw fieldError(path, 'is in the order already: change its line')
  }
}

/**
 * The positions of lines that are added: behind those that there are, as long as there are any.
 * @throws ShopError `input.invalid` for more lines than an order has
 */
function placesOf({ before: { lines }, wanted: { added = [] }, changes }: Amendment): number[] {
  const stay = lines.filter(
    (line) => !changes.some((change) => change.line === line && change.quantity === 0),
  )
  if (stay.length + added.length > MAX_CART_LINES)
    throw fieldError('added', `is too much: an order takes at most ${MAX_CART_LINES} products`)
  const taken = new Set(stay.map(({ position }) => position))
  const last = Math.max(0, ...lines.map(({ position }) => position))
  const places = Array.from({ length: MAX_CART_LINES }, (_, i) => ((last + i) % MAX_CART_LINES) + 1)
  return places.filter((place) => !taken.has(place)).slice(0, added.length)
}

/** A change that is being made: what it is about, and who asks, from where. */
export type Amendment = {
  tx: CatalogueTx
  locks: OrderLocks
  deps: OrderDeps
  principal: Principal
  network: string
  before: WholeOrder
  wanted: AmendOrder
  changes: readonly LineChange[]
}

/** An order's goods as they are to be: the lines that stay, those that are new, and the slot. */
type GoodsAfter = { lines: OrderLineRow[]; added: NewLine[]; slot: SlotRow; delivery: AgreedDelivery }

/**
 * The lines and the slot as they are to be. What is wanted more is left for this shopper as of an order that is
 * placed now, in which what the order has counts as given back. Products and slot stay locked.
 * @param address of a delivery, where it changes
 * @throws ShopError `stock.insufficient`, `slot.unavailable`, `price.changed` for what is not prepared like that any more,
 *   `order.state` for what has to be confirmed first
 */
export async function goodsAfter(
  asked: Amendment,
  address: { postcode: string } | null | undefined,
): Promise<GoodsAfter> {
  const { tx, locks, deps, principal, network, before, wanted, changes } = asked
  const { order, slot, contact } = before
  const more = wanted.added ?? []
  assertApart(asked)
  const places = placesOf(asked)
  const rules = deps.siteFile.orders
  const [share = null] = await shareholders(tx, deps, [{ principal, network }])
  const shopper: Shopper = { owner: { userId: userIdOf(principal), hold: undefined }, network: share }
  const kind = kindAfter(asked)
  const to = wanted.slot === slot.id && kind === order.kind ? undefined : wanted.slot
  const goods = { products: productsOf(asked), slots: to ? [to] : [] }
  const available = await Available.lock(tx, deps, locks, goods, [shopper])
  assertUnits(available.stock.products, more)
  const kept = linesAsked(asked)
  for (const { line } of kept) available.stock.giveBack(line, order.network)
  const today = available.stock.check(
    [
      ...kept.flatMap(({ line: _, ...one }) => (one.quantity === 0 ? [] : [one])),
      ...more.map((line, i) => ({ ...line, path: `added[${i}]` })),
    ],
    shopper,
    rules,
  )
  const lines = before.lines.flatMap((line) => {
    const change = changes.find((one) => one.line === line)
    if (change === undefined) return [line]
    return change.quantity === 0 ? [] : [amended(change, today.get(line.productId))]
  })
  const added = more.map((line, i) => addedLine(line, today.get(line.product_id), places[i], `added[${i}]`))
  const delivery = deliveryAfter(asked, address, [...lines, ...added])
  if (added.length > 0 || changes.some((change) => isMore(change) || isPreparedAnew(change)))
    await assertMayGrow(tx, deps, { before, lines: [...lines, ...added], share, delivery })
  if (address && to === undefined) await assertServes(tx, slot, address.postcode)
  if (to === undefined) return { lines, added, slot, delivery }
  const { postcode } = (kind === 'pickup' ? null : (address ?? contact?.address)) ?? {}
  const moved = await available.times.check({ id: to, kind, postcode }, shopper, rules)
  return { lines, added, slot: moved, delivery }
}

/**
 * What its delivery costs then: by the terms that were agreed on, as long as it goes to the same postcode, else by today's.
 * Less than the minimum of its area is refused where this change makes it less.
 * @throws ShopError `input.invalid` at the postcode, or at the lines
 */
function deliveryAfter(
  { deps, before, wanted }: Amendment,
  address: { postcode: string } | null | undefined,
  lines: readonly PricedLine[],
): AgreedDelivery {
  const { order, contact } = before
  const kind = kindAfter({ before, wanted })
  const postcode = kind === 'pickup' ? undefined : (address ?? contact?.address)?.postcode
  const isSame = kind === order.kind && postcode === contact?.address?.postcode
  const terms = isSame ? order.delivery : deliveryTerms(deps.site.known.areas, kind, postcode)
  const goods = goodsOf(lines)
  const why = tooLittle(terms, postcode ?? '', goods)
  if (why !== null && !isSame) throw fieldError('address.postcode', why)
  if (why !== null && goods < goodsOf(before.lines)) throw fieldError('lines', why)
  return deliveryBy(terms, lines)
}

/**
 * The lines of products that are asked about: limits and stock are for all lines of a product, so those that stay as they
 * are count with those that change.
 */
function linesAsked(asked: Amendment) {
  const ids = new Set(productsOf(asked))
  const lines = asked.before.lines.filter((line) => line.leftOutReason === null && ids.has(line.productId))
  return lines.map((line) => {
    const change = asked.changes.find((one) => one.line === line)
    const { quantity, kind, path } = change ?? { ...line, kind: line.preparation?.kind, path: undefined }
    const named = { product_id: line.productId, ...(kind && { preparation: kind }), ...(path && { path }) }
    return { line, ...named, quantity, had: line.quantity }
  })
}

/** How the order is to reach its buyer. */
export const kindAfter = ({ before, wanted }: Pick<Amendment, 'before' | 'wanted'>): FulfilmentKind =>
  wanted.kind ?? before.order.kind

/** The products of which a change asks for something else. */
export const productsOf = ({ wanted, changes }: Pick<Amendment, 'wanted' | 'changes'>): string[] => [
  ...changes.map(({ line }) => line.productId),
  ...(wanted.added ?? []).map(({ product_id }) => product_id),
]

/** A line that is new, at today's price. @throws ShopError `price.changed` for what is not prepared like that any more */
function addedLine(
  { quantity, preparation }: NonNullable<AmendOrder['added']>[number],
  product: AvailableProduct | undefined,
  position: number | undefined,
  path: string,
): NewLine {
  if (product === undefined || position === undefined)
    throw new Error('what is added is available, and has a place')
  const line = newLine(product, quantity, position, preparation)
  if (line.preparation?.kind !== preparation) throw notPrepared(line, preparation, path)
  return line
}

const isMore = ({ line, quantity }: LineChange): boolean => quantity > line.quantity

type Grown = PricedLine & { orderedGrams: number | null }

/** A first order that is large waits until it is confirmed: so does what would make it large. @throws ShopError */
async function assertMayGrow(
  tx: CatalogueTx,
  { siteFile }: OrderDeps,
  {
    before,
    lines,
    share,
    delivery,
  }: { before: WholeOrder; lines: readonly Grown[]; share: string | null; delivery: AgreedDelivery },
): Promise<void> {
  const { order, contact } = before
  if (share === null || order.confirmedAt !== null || contact === null) return
  const there = lines.filter(({ leftOutReason }) => leftOutReason == null)
  if (!isLargeFirst(there, totalsOfOrder(there, { ...order, ...delivery }).total, siteFile.orders)) return
  if ((await orderedBefore(tx, [contact.email])).size > 0) return
  throw new ShopError(
    'order.state',
    'A first order as large as this has to be confirmed: please open the link in its email, and change it then.',
    { details: { status: order.status, why: 'unconfirmed' } },
  )
}

/**
 * A line as it is to be. It keeps the price that was agreed on, for more of it, too, unless today's is lower. Prepared
 * otherwise, its fish keeps its price, and what is done to it costs today's fee.
 */
function amended(change: LineChange, today: AvailableProduct | undefined): OrderLineRow {
  const { line: before, quantity } = change
  const line = isPreparedAnew(change) ? prepared(change, today) : before
  const kept = { ...line, quantity, orderedGrams: orderedGrams(line.unit, quantity) }
  if (today === undefined || !isMore(change)) return kept
  const preparation = preparedToday(today, line.preparation) ?? null
  const priceCents = today.priceCents + (preparation?.feeCents ?? 0)
  return { ...kept, ...lowerPrice(priceOf(line), priceOf({ ...today, priceCents, preparation }), quantity) }
}

/** A line prepared otherwise. @throws ShopError `price.changed` */
function prepared({ line, kind, path }: LineChange, today: AvailableProduct | undefined): OrderLineRow {
  const preparation = (today && offered(today, kind)) ?? null
  if (preparation?.kind !== kind) throw notPrepared(line, kind, path)
  return { ...line, preparation, priceCents: preparedAnew(line, preparation) }
}

const notPrepared = (
  { productId, title }: NewLine,
  kind: PreparedKind | undefined,
  path: string,
): ShopError =>
  new ShopError('price.changed', `${title} is not sold as “${nameOf(kind)}” any more. Nothing was changed.`, {
    details: { path, product_id: productId },
  })

type Price = Pick<OrderLineRow, 'priceCents' | 'discount' | 'preparation'>

const priceOf = ({ priceCents, discount, preparation }: Price) => ({
  priceCents: cents(priceCents),
  discount,
  preparation,
})
