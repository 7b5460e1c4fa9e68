import { ShopError } from '@befaqt/domain/errors'
import { cents } from '@befaqt/domain/money'
import type { AmendOrder } from '@befaqt/domain/order'
import { lowerPrice, orderedGrams } from '@befaqt/domain/order-totals'
import { nameOf, offered, preparedAnew, preparedToday } from '@befaqt/domain/preparation'
import type { PreparedKind } from '@befaqt/domain/statuses'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { AvailableProduct, Shopper } from './available-stock.ts'
import { assertServes } from './available-times.ts'
import { userIdOf } from './hold-stock.ts'
import type { OrderDeps } from './order-deps.ts'
import { isLargeFirst, orderedBefore, shareholders } from './order-limits.ts'
import { totalsOfOrder } from './order-totals.ts'
import type { OrderLineRow, WholeOrder } from './order-views.ts'
import type { OrderLocks } from './read-orders.ts'
import type { SlotRow } from './slots.ts'
import { Available } from './take-goods.ts'

/** Another amount of a line, 0: it is taken out, or another preparation. `kind`: as it is to be; undefined: whole. */
export type LineChange = { line: OrderLineRow; quantity: number; kind: PreparedKind | undefined }

/**
 * The lines of which another amount or preparation is wanted.
 * @throws ShopError `input.invalid` with the path of a line that is not there, `order.state` when nothing would be left
 */
export function lineChanges({ order, lines }: WholeOrder, wanted: AmendOrder['lines']): LineChange[] {
  const changes = (wanted ?? []).map(({ position, quantity, preparation }, i): LineChange => {
    const line = lines.find((one) => one.position === position)
    if (line === undefined) throw fieldError(`lines[${i}].position`, 'There is no such line.')
    if (line.leftOutReason !== null)
      throw fieldError(`lines[${i}].position`, 'We had to leave it out of the order.')
    const kind = preparation ?? line.preparation?.kind
    return { line, quantity, kind: kind === 'whole' ? undefined : kind }
  })
  const taken = (line: OrderLineRow): number =>
    changes.find((change) => change.line === line)?.quantity ?? line.quantity
  if (!lines.some((line) => line.leftOutReason === null && taken(line) > 0))
    throw new ShopError('order.state', 'Nothing would be left of this order: cancel it instead.', {
      details: { status: order.status },
    })
  return changes.filter((change) => change.quantity !== change.line.quantity || isPreparedAnew(change))
}

/** Is something else to be done to a line that stays? */
export const isPreparedAnew = ({ line, quantity, kind }: LineChange): boolean =>
  quantity > 0 && kind !== line.preparation?.kind

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

/**
 * The lines that stay and the slot as they are to be. What is wanted more is left for this shopper as of an order that is
 * placed now, in which what the order has counts as given back. Products and slot stay locked.
 * @param address of a delivery, where it changes
 * @throws ShopError `stock.insufficient`, `slot.unavailable`, `price.changed` for what is not prepared like that any more,
 *   `order.state` for what has to be confirmed first
 */
export async function goodsAfter(
  { tx, locks, deps, principal, network, before, wanted, changes }: Amendment,
  address: { postcode: string } | null | undefined,
): Promise<{ lines: OrderLineRow[]; slot: SlotRow }> {
  const { order, slot, contact } = before
  const rules = deps.siteFile.orders
  const [share = null] = await shareholders(tx, deps, [{ principal, network }])
  const shopper: Shopper = { owner: { userId: userIdOf(principal), hold: undefined }, network: share }
  const to = wanted.slot === slot.id ? undefined : wanted.slot
  const products = changes.map(({ line }) => line.productId)
  const available = await Available.lock(tx, deps, locks, { products, slots: to ? [to] : [] }, [shopper])
  for (const { line } of changes) available.stock.giveBack(line, order.network)
  const asked = changes.flatMap(({ line, quantity }) =>
    quantity === 0 ? [] : [{ product_id: line.productId, quantity, had: line.quantity }],
  )
  const today = available.stock.check(asked, shopper, rules)
  const lines = before.lines.flatMap((line) => {
    const change = changes.find((one) => one.line === line)
    if (change === undefined) return [line]
    return change.quantity === 0 ? [] : [amended(change, today.get(line.productId))]
  })
  if (changes.some((change) => isMore(change) || isPreparedAnew(change)))
    await assertMayGrow(tx, deps, { before, lines, share })
  if (address && to === undefined) await assertServes(tx, slot, address.postcode)
  if (to === undefined) return { lines, slot }
  const { postcode } = address ?? contact?.address ?? {}
  return { lines, slot: await available.times.check({ id: to, kind: order.kind, postcode }, shopper, rules) }
}

const isMore = ({ line, quantity }: LineChange): boolean => quantity > line.quantity

/** A first order that is large waits until it is confirmed: so does what would make it large. @throws ShopError */
async function assertMayGrow(
  tx: CatalogueTx,
  { siteFile }: OrderDeps,
  { before, lines, share }: { before: WholeOrder; lines: readonly OrderLineRow[]; share: string | null },
): Promise<void> {
  const { order, contact } = before
  if (share === null || order.confirmedAt !== null || contact === null) return
  const there = lines.filter(({ leftOutReason }) => leftOutReason === null)
  if (!isLargeFirst(there, totalsOfOrder(there, order).total, siteFile.orders)) return
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
function prepared({ line, kind }: LineChange, today: AvailableProduct | undefined): OrderLineRow {
  const preparation = (today && offered(today, kind)) ?? null
  if (preparation?.kind !== kind) throw notPrepared(line, kind)
  return { ...line, preparation, priceCents: preparedAnew(line, preparation) }
}

const notPrepared = ({ productId, title }: OrderLineRow, kind: PreparedKind | undefined): ShopError =>
  new ShopError('price.changed', `${title} is not sold as “${nameOf(kind)}” any more. Nothing was changed.`, {
    details: { product_id: productId },
  })

type Price = Pick<OrderLineRow, 'priceCents' | 'discount' | 'preparation'>

const priceOf = ({ priceCents, discount, preparation }: Price) => ({
  priceCents: cents(priceCents),
  discount,
  preparation,
})
