import type { OrderView } from '@befaqt/domain/api/order-api'
import { couponIdle } from '@befaqt/domain/coupon'
import { ShopError } from '@befaqt/domain/errors'
import { unitsText } from '@befaqt/domain/labelling'
import { slotText } from '@befaqt/domain/moment-text'
import { cents, formatDollars } from '@befaqt/domain/money'
import type { AmendOrder } from '@befaqt/domain/order'
import { preparations, preparedTitle } from '@befaqt/domain/preparation'
import { plus } from '@befaqt/domain/quantity'
import type { PreparedKind } from '@befaqt/domain/statuses'
import { and, eq, sql } from 'drizzle-orm'
import { consumeEach, emailKey } from '#server/accounts/index.ts'
import { changeCatalogue, changeStock, withSellable } from '#server/catalogue/index.ts'
import { orderContacts, orderEvents, orderLines, orders } from '#server/db/schema/orders.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, BOX_NOT_ALLOWED, type Principal } from '#server/identity/principal.ts'
import { ownEmails } from '../count-orders.ts'
import { userIdOf } from '../hold-stock.ts'
import { claimKeys, type RepeatableRequest, storeResponses } from '../idempotency.ts'
import type { NewLine } from '../new-lines.ts'
import { orderRole } from '../order-access.ts'
import type { OrderDeps } from '../order-deps.ts'
import { mailAct } from '../order-emails.ts'
import { ordersByNetwork, ordersByRecipient } from '../order-limits.ts'
import { type ContactRow, insteadText, type OrderLineRow, orderView } from '../order-views.ts'
import { lockOrder, readWholeOrder } from '../read-orders.ts'
import { announceSlots, plainSlot, type SlotRow } from '../slots.ts'
import { agreedOn } from '../take-goods.ts'
import {
  type Amendment,
  goodsAfter,
  isPreparedAnew,
  kindAfter,
  type LineChange,
  lineChanges,
  productsOf,
} from './amend-goods.ts'
import { assertAmendable, assertCardUntil } from './amend-rules.ts'

/** `key`: of the signed link, for guests. */
type From = { request: RepeatableRequest; network: string; key: string | undefined }

/**
 * Changes a placed order for its buyer, before the cut-off of its slot and before it is packed: amounts, preparations,
 * lines that are taken out or added, pick-up or delivery, slot, address, note, in one transaction with what is newly
 * taken and given back, and one email (0092). Once for each key: the same request again answers the order as it is by
 * then (`replayed`). Nothing that is wanted is another than what is there: nothing changes.
 * @throws ShopError `order.not_found`, `order.state`, `version.stale` with the order as it is, `stock.insufficient`,
 *   `slot.unavailable`, `price.changed`, `order.unpaid` where the card covers less, `input.invalid`, `rate.limited`,
 *   `idempotency.running`, `idempotency.differs`, `auth.forbidden` for a key for some boxes
 */
export async function amendOrder(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  wanted: AmendOrder,
  { request, network, key }: From,
): Promise<{ view: OrderView; replayed: boolean }> {
  const { made } = await changeCatalogue(
    deps,
    async (tx) => {
      await awaitStandby(tx)
      const [order, locks] = await lockOrder(tx, id)
      const role = await orderRole(deps, tx, principal, order, key)
      if (role === 'boxes') throw new ShopError('auth.forbidden', BOX_NOT_ALLOWED)
      const before = await readWholeOrder(tx, id)
      const [claim] = await claimKeys(tx, [request])
      if (claim instanceof ShopError) throw claim
      if (claim !== 'ours')
        return { made: { view: orderView(before, role), replayed: true }, isShown: false, products: [] }
      assertAmendable(before) // said first: a version that is stale could be looked at and tried again
      checkVersion(wanted.version, orderView(before, role))
      const changes = lineChanges(before, wanted)
      const products = productsOf({ wanted, changes })
      const asked = { tx, locks, deps, principal, network, before, wanted, changes }
      const { isShown } = await withSellable(tx, products, () => amend(asked))
      await storeResponses(tx, [{ ...request, response: JSON.stringify({ _id: id }) }])
      const view = orderView(await readWholeOrder(tx, id), role)
      return { made: { view, replayed: false }, isShown, products }
    },
    ({ isShown }) => isShown,
    ({ products }) => ({ products }),
  )
  return made
}

async function amend(asked: Amendment): Promise<void> {
  const { tx, deps, before, changes } = asked
  const contact = contactAfter(asked)
  const kind = kindAfter(asked)
  const isMoved = kind !== before.order.kind || (asked.wanted.slot ?? before.slot.id) !== before.slot.id
  const isAdded = (asked.wanted.added ?? []).length > 0
  if (changes.length === 0 && !isAdded && contact === null && !isMoved) return
  await countChange(asked)
  const { lines, added, slot, delivery } = await goodsAfter(asked, contact?.address)
  const { coupon } = before.order
  const agreed = agreedOn({ lines: [...lines, ...added], coupon: coupon && { terms: coupon }, delivery })
  checkTotal(asked.wanted.expectedTotal, agreed.totalCents)
  assertAmendable(before, cents(agreed.totalCents))
  if (isMoved) assertCardUntil(before, slot)
  await write(asked, lines, added)
  const { id, version, amendments } = before.order
  await tx
    .update(orders)
    .set({
      ...agreed,
      kind,
      slotId: slot.id,
      slotStartsAt: slot.startsAt,
      amendments: amendments + 1,
      version: version + 1,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(eq(orders.id, id))
  if (isMoved) await announceSlots(tx) // the one before takes one more
  if (contact !== null) await tx.update(orderContacts).set(contact).where(eq(orderContacts.orderId, id))
  const who = asked.principal.kind === 'anonymous' ? null : actorId(asked.principal)
  const changed = whatChanged(asked, added, slot, contact, agreed)
  const reason = `Changed. ${changed}`
  await tx.insert(orderEvents).values({ orderId: id, status: 'PLACED', who, reason })
  await mailAct(tx, deps, 'amend', await readWholeOrder(tx, id), changed)
}

/** The columns of the contact that change; null: none. */
function contactAfter({ before, wanted }: Amendment): Partial<ContactRow> | null {
  const { order, contact } = before
  const kind = kindAfter({ before, wanted })
  if (wanted.address !== undefined && kind === 'pickup')
    throw fieldError('address', 'is for deliveries: this order is picked up')
  if (kind !== order.kind && wanted.slot === undefined) throw fieldError('slot', 'choose a time')
  if (kind !== order.kind && kind === 'delivery' && wanted.address === undefined)
    throw fieldError('address', 'say where it goes to')
  const note = wanted.note === undefined || wanted.note === contact?.note ? {} : { note: wanted.note }
  const isSame = wanted.address === undefined || addressText(wanted.address) === addressText(contact?.address)
  const gone = kind === 'pickup' && contact?.address ? { address: null } : {}
  const changed = { ...note, ...(isSame ? {} : { address: wanted.address ?? null }), ...gone }
  return Object.keys(changed).length === 0 ? null : changed
}

const addressText = (address: ContactRow['address'] | undefined): string =>
  address ? [address.street, address.suburb, address.state, address.postcode].join('\n') : ''

/** Each change sends an email: they count as orders do. @throws ShopError `rate.limited` */
async function countChange({ tx, deps, principal, network, before: { contact } }: Amendment): Promise<void> {
  const email = contact?.email ?? ''
  const own = await ownEmails(tx, [{ principal }])
  const isOwn = own.get(userIdOf(principal)) === emailKey(email)
  const limits = [ordersByNetwork(network), ...(isOwn ? [] : [ordersByRecipient(email)])]
  for (const refused of await consumeEach(tx, limits, deps.now())) if (refused) throw refused
}

/** @throws ShopError `price.changed` when the page showed another total */
function checkTotal(expected: number | undefined, total: number): void {
  if (expected === undefined || expected === total) return
  throw new ShopError('price.changed', 'The total has changed in the meantime. Nothing was changed.', {
    details: { total },
  })
}

/** What is wanted more is taken, what is wanted less goes back, and the lines are as they are to be. */
async function write(
  { tx, before, changes }: Amendment,
  after: readonly OrderLineRow[],
  added: readonly NewLine[],
): Promise<void> {
  if (changes.length === 0 && added.length === 0) return
  const taken = added.map(({ productId, quantity }) => [productId, -quantity] as const)
  const freed = changes.map(({ line, quantity }) => [line.productId, plus(line.quantity, -quantity)] as const)
  await changeStock(tx, [...freed, ...taken])
  for (const { line } of changes) {
    const at = and(eq(orderLines.orderId, before.order.id), eq(orderLines.position, line.position))
    const now = after.find(({ position }) => position === line.position)
    if (now === undefined) await tx.delete(orderLines).where(at)
    else await tx.update(orderLines).set(now).where(at)
  }
  if (added.length > 0)
    await tx.insert(orderLines).values(added.map((line) => ({ ...line, orderId: before.order.id })))
}

/** For the history and the email, which says nothing that somebody typed: anybody can order in anybody's name. */
function whatChanged(
  { before, changes }: Amendment,
  added: readonly NewLine[],
  slot: SlotRow,
  contact: Partial<ContactRow> | null,
  { couponCents, deliveryCents }: ReturnType<typeof agreedOn>,
): string {
  const { order } = before
  return [
    ...changes.map(changeText),
    ...added.map(
      ({ title, preparation, quantity, unit }) =>
        `${preparedTitle(title, preparation?.kind)}: ${unitsText(quantity, unit)} added.`,
    ),
    ...(slot.kind === order.kind ? [] : [insteadText(slot.kind, order.kind)]),
    ...(slot.id === before.slot.id
      ? []
      : [`Moved from ${slotText(plainSlot(before.slot))} to ${slotText(plainSlot(slot))}.`]),
    ...(contact?.address && slot.kind === order.kind ? ['Another address.'] : []),
    ...(contact?.note === undefined ? [] : ['Another note.']),
    ...(deliveryCents === order.deliveryCents
      ? []
      : [
          `Delivery costs ${formatDollars(cents(deliveryCents))} instead of ${formatDollars(cents(order.deliveryCents))}.`,
        ]),
    ...(order.coupon !== null && order.couponCents > 0 && couponCents === 0
      ? [`Coupon ${order.coupon.code} ${couponIdle(order.coupon)}.`]
      : []),
  ].join(' ')
}

/** 'Snapper: 2 kg instead of 1 kg; fillets, skin on, instead of whole.' */
function changeText(change: LineChange): string {
  const { line, quantity, kind } = change
  const { title, unit, quantity: had, preparation } = line
  const named = preparedTitle(title, preparation?.kind)
  if (quantity === 0) return `${named}: taken out.`
  const amount = `${unitsText(quantity, unit)} instead of ${unitsText(had, unit)}`
  const prepared = `${preparedName(kind)}, instead of ${preparedName(preparation?.kind)}`
  const said = [...(quantity === had ? [] : [amount]), ...(isPreparedAnew(change) ? [prepared] : [])]
  return `${isPreparedAnew(change) ? title : named}: ${said.join('; ')}.`
}

const preparedName = (kind: PreparedKind | undefined): string =>
  preparations[kind ?? 'whole'].name.toLowerCase()
