import { randomUUID } from 'node:crypto'
import type { PlacedOrder } from '@befaqt/domain/api/order-api'
import type { PlacedAnswer, PlacedWaiting } from '@befaqt/domain/api/waiting-order-api'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, type Handlers } from '@befaqt/domain/life'
import { NO_MONEY } from '@befaqt/domain/money'
import type { PlaceOrder } from '@befaqt/domain/order'
import { orderLife } from '@befaqt/domain/order-states'
import type { PaymentMethod } from '@befaqt/domain/payment'
import { and, eq } from 'drizzle-orm'
import { emailKey } from '#server/accounts/account.ts'
import { consume } from '#server/accounts/limits.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import type { Db } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { users } from '#server/db/schema/accounts.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { assertAccount, removeHold, userIdOf } from './hold-stock.ts'
import { claimKey, type RepeatableRequest, storedResponse, storeResponse } from './idempotency.ts'
import { amountOf, insertPayment } from './insert-payment.ts'
import { orderLink } from './order-access.ts'
import type { OrderDeps } from './order-deps.ts'
import { mailOrder } from './order-emails.ts'
import {
  hasOrderedBefore,
  isLargeFirst,
  ordersByNetwork,
  ordersByRecipient,
  shareholder,
} from './order-limits.ts'
import { placedView, totalsOfOrder, type WholeOrder } from './order-views.ts'
import { readWholeOrder } from './read-orders.ts'
import { lockGoods, type NewLine, takeGoods, whereTo } from './take-goods.ts'
import { addWaiting } from './waiting/waiting-order.ts'

type Stored = Omit<PlacedOrder, 'link'> | Omit<PlacedWaiting, 'link'>

/**
 * Places an order: stock, slot, number, order and email in one transaction, once for each key. A large first order is
 * written down and takes nothing until it is confirmed. `replayed`: it is the response to the same request before.
 * @throws ShopError `stock.insufficient`, `price.changed`, `slot.unavailable`, `idempotency.running`,
 *   `idempotency.differs`, `rate.limited`, `auth.required`, `input.invalid` for a card that is not taken
 */
export async function placeOrder(
  deps: OrderDeps,
  principal: Principal,
  input: PlaceOrder,
  from: { request: RepeatableRequest; network: string },
): Promise<{ placed: PlacedAnswer; replayed: boolean }> {
  const { request, network } = from
  assertAccount(principal, input)
  const before = await storedResponse(deps.db, request)
  if (before !== undefined) return answer(deps, before, true)
  await consume(deps.db, ordersByNetwork(network), deps.now())
  if (!(await isOwnEmail(deps.db, userIdOf(principal), input.contact.email)))
    await consume(deps.db, ordersByRecipient(input.contact.email), deps.now())
  const { response, replayed } = await changeCatalogue(
    deps,
    async (tx) => {
      const meanwhile = await claimKey(tx, request)
      if (meanwhile !== undefined) return { response: meanwhile, replayed: true, onCards: false }
      const { placed, onCards } = await place(tx, deps, principal, input, network)
      await storeResponse(tx, request, placed)
      return { response: JSON.stringify(placed), replayed: false, onCards }
    },
    ({ onCards }) => onCards,
    { products: input.lines.map(({ product_id }) => product_id) },
  )
  return answer(deps, response, replayed)
}

async function isOwnEmail(db: Db, userId: string | null, email: string): Promise<boolean> {
  if (userId === null) return false
  return (await db.$count(users, and(eq(users.id, userId), eq(users.emailKey, emailKey(email))))) > 0
}

/** The link is not stored with the response: it is as good as a password. */
function answer(deps: OrderDeps, response: string, replayed: boolean) {
  const stored: Stored = JSON.parse(response)
  return { placed: { ...stored, link: orderLink(deps, stored._id) }, replayed }
}

const placingOf = {
  later: orderLife.new['place, paid later'],
  card: orderLife.new['place, paid by card'], // it is confirmed when it is paid
} as const satisfies Record<PaymentMethod, object>

type Placed = { tx: CatalogueTx; deps: OrderDeps; whole: WholeOrder }

/** What placing an order brings about. */
const followUps: Handlers<EffectOf<typeof orderLife, 'new'>, [Placed], unknown> = {
  'email: placed': ({ tx, deps, whole }) => mailOrder(tx, deps, 'placed', whole),
  'open a payment': ({ tx, deps, whole: { order } }) =>
    insertPayment(tx, deps, { id: order.id, amount: amountOf(order) }),
}

async function place(
  tx: CatalogueTx,
  deps: OrderDeps,
  principal: Principal,
  input: PlaceOrder,
  from: string,
): Promise<{ placed: Stored; onCards: boolean }> {
  const { contact, note, hold, fulfilment, payment = 'later' } = input
  const owner = { userId: userIdOf(principal), hold }
  const network = await shareholder(tx, deps, principal, from)
  const asked = { ...whereTo(fulfilment), lines: input.lines, payment }
  const goods = await lockGoods(tx, lock(tx), deps, asked, { owner, network })
  const { total } = totalsOfOrder(goods.lines, NO_MONEY)
  checkTotal(input.expectedTotal, total, goods.lines)
  await removeHold(tx, owner)
  const who = principal.kind === 'anonymous' ? null : actorId(principal)
  const address = asked.address ?? null
  const buyer = { userId: owner.userId, contact: { ...contact, address, note } }
  const isKnown = network === null || (await hasOrderedBefore(tx, contact.email))
  if (!isKnown && isLargeFirst(goods.lines, total, deps.siteFile.orders))
    return { placed: await addWaiting(tx, deps, { ...buyer, goods, total, payment }), onCards: false }
  const id = randomUUID()
  const onCards = await takeGoods(tx, deps, goods, { ...buyer, id, who, network, confirmed: false })
  const whole = await readWholeOrder(tx, id)
  await carryOut(placingOf[payment].effects, followUps, { tx, deps, whole })
  return { placed: placedView(whole), onCards }
}

/** @throws ShopError `price.changed` with the prices as they are, when the page showed another total */
function checkTotal(expected: number | undefined, total: number, lines: readonly NewLine[]): void {
  if (expected === undefined || expected === total) return
  throw new ShopError('price.changed', 'The total has changed in the meantime. Nothing was ordered.', {
    details: {
      total,
      lines: lines.map(({ productId, priceCents, discount, unit }) => ({
        product_id: productId,
        price: priceCents,
        discount,
        unit,
      })),
    },
  })
}
