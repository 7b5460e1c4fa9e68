import { randomUUID } from 'node:crypto'
import type { PlacedOrder } from '@befaqt/domain/api/order-api'
import type { PlacedWaiting } from '@befaqt/domain/api/waiting-order-api'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, type Handlers } from '@befaqt/domain/life'
import type { PlaceOrder } from '@befaqt/domain/order'
import { orderLife } from '@befaqt/domain/order-states'
import { tooLittle } from '@befaqt/domain/order-totals'
import type { PaymentMethod } from '@befaqt/domain/payment'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import type { Shopper } from './available-stock.ts'
import { countOrders } from './count-orders.ts'
import type { Customer } from './coupons/available-coupons.ts'
import { findNamed } from './coupons/find-named.ts'
import { userIdOf } from './hold-stock.ts'
import { claimKeys, differs, type RepeatableRequest, storeResponses } from './idempotency.ts'
import { amountOf, insertPayment } from './insert-payment.ts'
import { type HoldOwner, removeHolds } from './open-holds.ts'
import type { OrderDeps } from './order-deps.ts'
import { mailOrders } from './order-emails.ts'
import { isLargeFirst, orderedBefore, shareholders } from './order-limits.ts'
import { goodsOf as goodsTotal } from './order-totals.ts'
import { placedView, type WholeOrder } from './order-views.ts'
import { readWholeOrders } from './read-orders.ts'
import {
  Available,
  agreedOn,
  type Goods,
  priceChanged,
  type Taking,
  takeGoods,
  whereTo,
} from './take-goods.ts'
import { addWaiting } from './waiting/waiting-order.ts'

/** What is answered to a placed order, without its link. */
export type Stored = Omit<PlacedOrder, 'link'> | Omit<PlacedWaiting, 'link'>

/** An order that somebody wants to place. */
export type Wish = { principal: Principal; input: PlaceOrder; request: RepeatableRequest; network: string }

/** The stored response to a wish. `replayed`: it is the response to the same request before. */
export type Response = { response: string; replayed: boolean }

/** By the hash of the key. Who has none yet is still to be served. */
type Answers = Map<string, Response | ShopError>

/**
 * Places orders in a transaction, by statements for all of them, in their order: what one takes, the next does not get. A
 * refused one changes nothing but what it counts for its limits. Those with one key are one request.
 * @returns for each the response, or the ShopError that it is refused with (`placeOrder`); and the products whose cards
 *   show another stock now
 */
export async function placeTogether(
  tx: CatalogueTx,
  deps: OrderDeps,
  wishes: readonly Wish[],
): Promise<{ answers: (Response | ShopError)[]; shown: string[] }> {
  const once = new Map(wishes.toReversed().map((wish) => [wish.request.keyHash, wish]))
  const answers: Answers = new Map()
  const open = () => [...once.values()].toReversed().filter(({ request }) => !answers.has(request.keyHash))
  await claim(tx, open(), answers)
  await count(tx, deps, open(), answers)
  const coupons = await couponsOf(tx, deps, open(), answers)
  const { placed, shown } = await takeAll(tx, deps, open(), answers, coupons)
  await answerPlaced(tx, placed, answers)
  const answerTo = (wish: Wish): Response | ShopError => {
    const { keyHash, fingerprint } = wish.request
    const done = once.get(keyHash)
    if (done?.request.fingerprint !== fingerprint) return differs()
    const answer = answers.get(keyHash)
    if (answer === undefined) throw new Error('every order has an answer')
    return answer instanceof ShopError || wish === done ? answer : { ...answer, replayed: true }
  }
  return { answers: wishes.map(answerTo), shown }
}

function refuse(answers: Answers, { request }: Wish, error: ShopError | undefined): void {
  if (error !== undefined) answers.set(request.keyHash, error)
}

/** Answers those that were placed before, or are being placed by another process. */
async function claim(tx: Tx, wishes: readonly Wish[], answers: Answers): Promise<void> {
  const requests = wishes.map(({ request }) => request)
  for (const [i, claim] of (await claimKeys(tx, requests)).entries())
    if (claim !== 'ours')
      answers.set(
        requests[i]?.keyHash ?? '',
        claim instanceof ShopError ? claim : { ...claim, replayed: true },
      )
}

/** Counts them for the limits of orders. */
async function count(tx: Tx, { now }: OrderDeps, wishes: readonly Wish[], answers: Answers): Promise<void> {
  const asked = wishes.map(({ input, ...wish }) => ({ ...wish, email: input.contact.email }))
  for (const [i, refused] of (await countOrders(tx, now(), asked)).entries()) {
    const wish = wishes[i]
    if (wish) refuse(answers, wish, refused)
  }
}

/** The ids of the coupons that are named, by their codes. Who names one that there is not is refused. */
async function couponsOf(
  tx: Tx,
  { now }: OrderDeps,
  wishes: readonly Wish[],
  answers: Answers,
): Promise<Map<string, string>> {
  const named = wishes.flatMap((wish) =>
    wish.input.coupon === undefined ? [] : [{ wish, code: wish.input.coupon, network: wish.network }],
  )
  const found = await findNamed(tx, now(), named)
  return new Map(
    named.flatMap(({ wish, code }, i) => {
      const id = found[i]
      if (typeof id === 'string') return [[code, id] as const]
      refuse(answers, wish, id)
      return []
    }),
  )
}

type Asker = Shopper & { wish: Wish; customer: Customer; coupon: string | undefined }
type Placed = { wish: Wish; stored: Stored }

/** Takes what is left for one after the other, and writes down what they took. */
async function takeAll(
  tx: CatalogueTx,
  deps: OrderDeps,
  wishes: readonly Wish[],
  answers: Answers,
  coupons: ReadonlyMap<string, string>,
): Promise<{ placed: Placed[]; shown: string[] }> {
  if (wishes.length === 0) return { placed: [], shown: [] }
  const askers = await askersOf(tx, deps, wishes, coupons)
  const known = await knownBefore(tx, askers)
  const wanted = {
    products: wishes.flatMap(({ input }) => input.lines.map(({ product_id }) => product_id)),
    slots: wishes.map(({ input }) => input.fulfilment.slot),
    coupons: askers.flatMap(couponWish),
  }
  const available = await Available.lock(tx, deps, lock(tx), wanted, askers)
  const [placed, taken]: [Placed[], Taken[]] = [[], []]
  for (const asker of askers) {
    const { wish, owner } = asker
    const goods = await goodsOf(deps, available, asker).catch(refusal)
    if (goods instanceof ShopError) {
      refuse(answers, wish, goods)
      continue
    }
    available.coupons.take(goods.coupon, asker.customer)
    const isKnown = asker.network === null || known.has(wish.input.contact.email)
    if (isKnown || !isLargeFirst(goods.lines, goods.total, deps.siteFile.orders)) {
      taken.push({ ...goods, ...takingOf(asker), wish, shown: available.take(goods, asker) })
      continue
    }
    available.holds.end(owner)
    const { payment = 'later' } = wish.input
    placed.push({
      wish,
      stored: await addWaiting(tx, deps, { ...buyerOf(wish), goods, total: goods.total, payment }),
    })
  }
  await removeHolds(
    tx,
    [...taken, ...placed].map(({ wish }) => ownerOf(wish)),
  )
  await takeGoods(tx, deps, taken, available)
  const shown = taken.flatMap((one) => one.shown)
  return { placed: [...placed, ...(await followUp(tx, deps, taken))], shown }
}

const ownerOf = ({ principal, input }: Wish): HoldOwner => ({ userId: userIdOf(principal), hold: input.hold })

async function askersOf(
  tx: Tx,
  deps: OrderDeps,
  wishes: readonly Wish[],
  coupons: ReadonlyMap<string, string>,
): Promise<Asker[]> {
  const shares = await shareholders(tx, deps, wishes)
  return wishes.map((wish, i) => ({
    wish,
    owner: ownerOf(wish),
    network: shares[i] ?? null,
    customer: { userId: userIdOf(wish.principal), email: wish.input.contact.email },
    coupon: coupons.get(wish.input.coupon ?? ''),
  }))
}

const couponWish = ({ coupon: id, customer }: Asker) => (id === undefined ? [] : [{ id, customer }])

/** The emails under which those who hold only a share have ordered before. */
const knownBefore = (tx: Tx, askers: readonly Asker[]): Promise<Set<string>> =>
  orderedBefore(
    tx,
    askers.filter(({ network }) => network !== null).map(({ wish }) => wish.input.contact.email),
  )

/** What is left for somebody, at the total that was shown. @throws ShopError */
async function goodsOf(
  deps: OrderDeps,
  available: Available,
  asker: Asker,
): Promise<Goods & { total: number }> {
  const { lines, fulfilment, payment = 'later', expectedTotal } = asker.wish.input
  const [coupon] = couponWish(asker)
  const goods = await available.goodsFor(deps, { ...whereTo(fulfilment), lines, payment, coupon }, asker)
  assertEnough(goods, fulfilment)
  const { totalCents: total } = agreedOn(goods)
  if (expectedTotal !== undefined && expectedTotal !== total)
    throw priceChanged('The total has changed in the meantime.', goods)
  return { ...goods, total }
}

/** An area may take orders from some amount of goods on. @throws ShopError `input.invalid` at the postcode */
function assertEnough({ lines, delivery: { delivery } }: Goods, fulfilment: PlaceOrder['fulfilment']): void {
  if (fulfilment.kind === 'pickup') return
  const why = tooLittle(delivery, fulfilment.address.postcode, goodsTotal(lines))
  if (why !== null) throw fieldError('fulfilment.address.postcode', why)
}

/** What is thrown because of one order; anything else is the end of its group. */
function refusal(error: unknown): ShopError {
  if (error instanceof ShopError) return error
  throw error
}

function buyerOf({ principal, input: { contact, note, fulfilment } }: Wish) {
  const address = whereTo(fulfilment).address ?? null
  return { userId: userIdOf(principal), contact: { ...contact, address, note } }
}

function takingOf({ wish, network }: Asker): Taking {
  const { principal } = wish
  const who = principal.kind === 'anonymous' ? null : actorId(principal)
  return { id: randomUUID(), ...buyerOf(wish), who, network, confirmed: false }
}

type Taken = Goods & Taking & { wish: Wish; shown: string[] }

const placingOf = {
  later: orderLife.new['place, paid later'],
  card: orderLife.new['place, paid by card'], // it is confirmed when it is paid
} as const satisfies Record<PaymentMethod, object>

/** What placing orders brings about. */
const followUps: Handlers<
  EffectOf<typeof orderLife, 'new'>,
  [{ tx: Tx; deps: OrderDeps; wholes: readonly WholeOrder[] }],
  unknown
> = {
  'email: placed': ({ tx, deps, wholes }) => mailOrders(tx, deps, 'placed', wholes),
  'open a payment': async ({ tx, deps, wholes }) => {
    for (const { order } of wholes) await insertPayment(tx, deps, { id: order.id, amount: amountOf(order) })
  },
}

async function followUp(tx: Tx, deps: OrderDeps, taken: readonly Taken[]): Promise<Placed[]> {
  if (taken.length === 0) return []
  const wholes = await readWholeOrders(
    tx,
    taken.map(({ id }) => id),
  )
  const placed = wholes.map((whole, i) => ({ whole, wish: wishOf(taken[i]) }))
  for (const [payment, some] of Map.groupBy(placed, ({ wish }) => wish.input.payment ?? 'later')) {
    const told = { tx, deps, wholes: some.map(({ whole }) => whole) }
    await carryOut(placingOf[payment].effects, followUps, told)
  }
  return placed.map(({ whole, wish }) => ({ wish, stored: placedView(whole) }))
}

function wishOf(taken: Taken | undefined): Wish {
  if (taken === undefined) throw new Error('an order that was taken is read')
  return taken.wish
}

async function answerPlaced(tx: Tx, placed: readonly Placed[], answers: Answers): Promise<void> {
  const done = placed.map(({ wish, stored }) => ({ ...wish.request, response: JSON.stringify(stored) }))
  await storeResponses(tx, done)
  for (const { keyHash, response } of done) answers.set(keyHash, { response, replayed: false })
}
