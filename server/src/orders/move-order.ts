import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type Handlers, type MoveEffectOf, type MoveNeedOf } from '@befaqt/domain/life'
import { type Cents, formatDollars } from '@befaqt/domain/money'
import type { OrderMove } from '@befaqt/domain/order'
import { invoiceNumber } from '@befaqt/domain/order-documents'
import { type OrderState, type orderLife, orderMove } from '@befaqt/domain/order-states'
import { unpaidByCard } from '@befaqt/domain/payment'
import { eq, sql } from 'drizzle-orm'
import { noteSecurity } from '#server/audit/security-log.ts'
import { assertOnSale } from '#server/boxes/index.ts'
import { type CatalogueTx, changeCatalogue, withSellable } from '#server/catalogue/index.ts'
import { orderEvents, orders } from '#server/db/schema/orders.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, hasRight, type Principal, SYSTEM } from '#server/identity/principal.ts'
import { assertOnlyOwnBoxes, type OrderRole, orderRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailOrder, type OrderNews } from '#server/orders/order-emails.ts'
import { asksBuyer, orderView, paymentSums, type WholeOrder } from '#server/orders/order-views.ts'
import { lockOrder, type OrderLocks, readWholeOrder } from '#server/orders/read-orders.ts'
import { nextNumbers } from '#server/orders/take-goods.ts'
import { boxedPositions } from './managing/managed-order.ts'
import { isWeighed } from './managing/packed-lines.ts'
import { recordSales, returnOrder } from './managing/return-order.ts'
import { queueSettling } from './queue-settling.ts'

/** A move that is being made: what the functions below ask and do. */
type Move = {
  tx: CatalogueTx
  locks: OrderLocks
  deps: OrderDeps
  principal: Principal
  before: WholeOrder
  /** The moves that this mover has. */
  moves: readonly OrderState[]
  paid: OrderMove['paid']
}

/**
 * Moves an order to another state, with all that follows in one transaction: CANCELLED gives stock and slot back
 * (`return-order.ts`), PACKED gets its invoice number and makes the sale a record of each box.
 * Before it is handed out, what was to be paid by card has to be paid, or said to be paid otherwise.
 * @param key of the signed link, for guests
 * @throws ShopError `order.not_found`, `order.state` with the moves there are, `order.asks_buyer`, `order.unpaid`,
 *   `version.stale`, `box.sealed`, `box.recalled`, `box.off_sale`, `auth.forbidden` for an order from a box that the key may not access
 */
export async function moveOrder(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  { status, reason, paid, version }: OrderMove,
  key?: string,
): Promise<OrderView> {
  const { view } = await changeCatalogue(
    deps,
    async (tx) => {
      await awaitStandby(tx)
      const [order, locks] = await lockOrder(tx, id)
      const role = await orderRole(deps, tx, principal, order, key)
      const before = await readWholeOrder(tx, id)
      assertOnlyOwnBoxes(role, principal, before.boxes)
      checkVersion(version, orderView(before, role))
      const { moves } = orderView(before, role)
      const move = moves.includes(status) ? orderMove(order.status, status) : undefined
      if (move === undefined)
        throw new ShopError('order.state', `This order is ${order.status}: it can’t become ${status}.`, {
          details: { status: order.status, moves },
        })
      await carryOut(move.needs, needs, { tx, locks, deps, principal, before, moves, paid })
      // Once all that has to be so is so, what is unpaid was paid otherwise: it is kept with the move.
      const paidCents = move.needs?.includes('paid') ? unpaidOf(before) : null
      const who = principal.kind === 'anonymous' ? null : actorId(principal)
      const by = { principal, who, role }
      const onCards = await applyMove(tx, locks, deps, by, before, { status, reason, paidCents })
      return { view: orderView(await readWholeOrder(tx, id), role), onCards }
    },
    ({ onCards }) => onCards,
    { order: id },
  )
  return view
}

/**
 * Moves a locked order that may be moved, with all that follows; what its payment needs is queued. Returns whether the
 * public catalogue changed. The reason is emailed only when the shop gives it: anybody can order in anybody's name, and
 * would have the shop send what they typed.
 * @param by `who`: actor id for the order's history; null: the guest who ordered
 */
export async function applyMove(
  tx: CatalogueTx,
  locks: OrderLocks,
  deps: OrderDeps,
  { principal, who, role }: { principal: Principal; who: string | null; role: OrderRole },
  before: WholeOrder,
  { status, reason, paidCents = null }: { status: OrderState; reason: string; paidCents?: number | null },
): Promise<boolean> {
  const { id, version, status: from } = before.order
  const effects = orderMove(from, status)?.effects
  const products = before.lines.map(({ productId }) => productId)
  // Histories of boxes are public: a buyer is not named in them.
  const actor = hasRight(principal, 'order:write') ? actorId(principal) : SYSTEM
  const { made: onCards, isShown } = await withSellable(tx, products, async () => {
    const made = await carryOut(effects, goods, { tx, locks, deps, actor, before })
    await tx
      .update(orders)
      // It counts for no network any more.
      .set({ status, version: version + 1, updatedAt: sql`clock_timestamp()`, network: null })
      .where(eq(orders.id, id))
    return made.includes(true)
  })
  await tx.insert(orderEvents).values({ orderId: id, status, who, reason, paidCents })
  if (status === 'CANCELLED')
    noteSecurity({
      what: 'order',
      outcome: 'done',
      who: who ?? 'guest',
      object: `order:${id}`,
      detail: 'cancelled',
    })
  await carryOut(effects, news, { tx, deps, before, paidCents, reason: role === 'buyer' ? '' : reason })
  return onCards || isShown
}

/** What has to be so before a move, by its name in the table of the life. Each throws what it is not. */
const needs: Handlers<MoveNeedOf<typeof orderLife>, [Move], void> = {
  'no card page open': ({ before: { payment } }) => {
    if (payment?.state === 'OPEN')
      throw new ShopError(
        'order.unpaid',
        'It is not paid yet. The buyer is paying by card, or it is cancelled soon.',
      )
  },
  weighed: ({ before, moves }) => {
    if (!isWeighed(before))
      throw new ShopError('order.state', 'Not all of it is weighed yet.', {
        details: { status: before.order.status, moves },
      })
  },
  'total accepted': ({ before }) => {
    if (asksBuyer(before.order))
      throw new ShopError(
        'order.asks_buyer',
        'It costs more than the buyer agreed to, who has to accept it first.',
      )
  },
  'nothing said of payment': ({ paid }) => {
    if (paid !== undefined) throw fieldError('paid', 'is said when an order is sent or handed out')
  },
  paid: ({ before, paid }) => {
    const amount = unpaidOf(before)
    if (amount !== null && paid !== 'otherwise')
      throw new ShopError(
        'order.unpaid',
        `It was to be paid by card, and nothing was charged: ${formatDollars(amount)} is due. Hand it out when it is paid.`,
        { details: { amount } },
      )
  },
  /** Its boxes stay locked, so that none is stopped meanwhile. */
  'fish on sale': async ({ locks, before }) => {
    const boxIDs = before.boxes.map(({ boxId }) => boxId)
    const [boxes] = await locks.boxes(boxIDs)
    for (const box of boxes.values()) assertOnSale(box)
  },
  /** What comes from boxes is packed with a box, or with a reason. */
  'boxes named': async ({ tx, before: { order, lines, boxes } }) => {
    const open = lines.filter(
      ({ position, noBoxReason, leftOutReason }) =>
        noBoxReason === null && leftOutReason === null && !boxes.some((box) => box.position === position),
    )
    const unnamed = await boxedPositions(tx, open)
    if (unnamed.length === 0) return
    throw new ShopError('order.state', 'Not every line says which box it is from, or why it is from none.', {
      details: { status: order.status, moves: [], lines: unnamed },
    })
  },
}

/** What is to be paid by card and is not, in cents; null: all is paid, or is paid on receipt. */
const unpaidOf = (whole: WholeOrder): Cents | null => unpaidByCard(whole.order.totalCents, paymentSums(whole))

/** What a move does with fish and numbers, before the order is in its new state. Each says whether cards changed. */
const goods = {
  'give back': ({ tx, locks, deps, actor, before }) => returnOrder(tx, locks, deps, actor, before),
  'sell out of boxes': ({ tx, locks, deps, actor, before }) =>
    recordSales(tx, locks, deps, actor, before, {}),
  'number the invoice': async ({ tx, deps, before }) => {
    const { year, first } = await nextNumbers(tx, 'invoice', deps.siteFile.market.timeZone)
    await tx
      .update(orders)
      .set({ invoiceNumber: invoiceNumber(year, first) })
      .where(eq(orders.id, before.order.id))
    return false
  },
} satisfies Partial<Handlers<MoveEffectOf<typeof orderLife>, [Goods], boolean>>

type Goods = Pick<Move, 'tx' | 'locks' | 'deps' | 'before'> & { actor: string }
type News = Pick<Move, 'tx' | 'deps' | 'before'> & { reason: string; paidCents: number | null }

const mail =
  (about: OrderNews) =>
  async ({ tx, deps, before, reason }: News): Promise<void> =>
    mailOrder(tx, deps, about, await readWholeOrder(tx, before.order.id), reason)

const settle = async ({ tx, before: { payment } }: News): Promise<void> => {
  if (payment !== null) await queueSettling(tx, payment.id)
}

/** What a move tells, and asks of the provider of payments, once the order is in its new state. */
const news: Handlers<Exclude<MoveEffectOf<typeof orderLife>, keyof typeof goods>, [News], void> = {
  'email: changed': async (move) => {
    const { totalCents, agreedCents } = move.before.order
    if (totalCents !== agreedCents) await mail('changed')(move)
  },
  'email: ready': mail('ready'),
  'email: sent': mail('sent'),
  'email: cancelled': mail('cancelled'),
  'settle the card': settle,
  'settle the card that was not used': async (move) => {
    if (move.paidCents !== null) await settle(move)
  },
}
