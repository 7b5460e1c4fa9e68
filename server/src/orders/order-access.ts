import { timingSafeEqual } from 'node:crypto'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readCalendar, readInvoice } from '@befaqt/domain/api/endpoints/order-page'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { mayDo, type OrderState, orderRefusals } from '@befaqt/domain/order-states'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { allowedBoxes, BOX_NOT_ALLOWED, hasRight, type Principal } from '#server/identity/principal.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

/** The query of what may be seen by the signed link of an order. */
export const LinkKey = z.object({ key: z.string().max(128).optional().describe('of the signed link') })

type Signing = { secrets: Pick<Secrets, 'hmac'>; config: { PUBLIC_URL: string } }

const linkKey = (secrets: Signing['secrets'], id: string): string => secrets.hmac(id, 'order link')

/** An order's link ends after so many days: longer than anybody looks up a purchase, and than a card can be disputed. */
export const LINK_DAYS = 400

/** The signed link of an order's page, for its emails and for whoever placed it: it needs no sign-in. */
export const orderLink = ({ secrets, config }: Signing, id: string): string =>
  `${config.PUBLIC_URL}/user/order/${id}?key=${linkKey(secrets, id)}`

const confirmationKey = (secrets: Signing['secrets'], id: string): string =>
  secrets.hmac(id, 'order confirmation')

/** The link that confirms an order, too, by a button on its page. It is only ever in its email: whoever orders gets none. */
export const confirmationLink = (signing: Signing, id: string): string =>
  `${orderLink(signing, id)}&confirm=${confirmationKey(signing.secrets, id)}`

/** Is it what only the email of this order says? */
export const isConfirmation = (
  { secrets }: Pick<Signing, 'secrets'>,
  id: string,
  given: string | undefined,
): boolean => given !== undefined && isSame(given, confirmationKey(secrets, id))

/** The signed link of an order's invoice. */
export const invoiceLink = ({ secrets, config }: Signing, id: string): string =>
  `${config.PUBLIC_URL}${urlOf(readInvoice, { params: { id }, query: { key: linkKey(secrets, id) } })}`

/** The signed link of an order's time as a calendar file. */
export const calendarLink = ({ secrets, config }: Signing, id: string): string =>
  `${config.PUBLIC_URL}${urlOf(readCalendar, { params: { id }, query: { key: linkKey(secrets, id) } })}`

/**
 * How somebody may see an order: as its buyer, for the shop, or, with a key that is limited to some boxes, for lines of
 * those and without who bought them.
 */
export type OrderRole = 'buyer' | 'shop' | 'boxes'

export const orderNotFound = (): ShopError => new ShopError('order.not_found', 'There is no such order.')

/**
 * SQL: the orders with a line of one of these boxes: packed from it, or still to be packed and of a product that comes
 * from it. Undefined for null, which stands for all boxes.
 */
export function withLinesOf(boxes: readonly string[] | null): SQL | undefined {
  if (boxes === null) return undefined
  const among = sql`any(${sql.param(boxes)}::text[])`
  return sql`(exists (select from order_line_boxes b where b.order_id = ${orders.id} and b.box_id = ${among})
    or (${orders.status} = 'PLACED' and exists (
      select from order_lines l join product_boxes p on p.product_id = l.product_id
      where l.order_id = ${orders.id} and p.box_id = ${among} and not exists (
        select from order_line_boxes b where b.order_id = l.order_id and b.position = l.position))))`
}

/**
 * How somebody for the shop may see an order.
 * @throws ShopError `order.not_found` for a key that is limited to boxes which no line is of
 */
export async function shopRole(db: Db | Tx, principal: Principal, id: string): Promise<'shop' | 'boxes'> {
  const ofBoxes = withLinesOf(allowedBoxes(principal))
  if (ofBoxes === undefined) return 'shop'
  if ((await db.$count(orders, and(eq(orders.id, id), ofBoxes))) === 0) throw orderNotFound()
  return 'boxes'
}

/**
 * A key for some boxes changes only orders that were packed from those alone.
 * @throws ShopError `auth.forbidden`
 */
export function assertOnlyOwnBoxes(
  role: OrderRole,
  principal: Principal,
  boxes: readonly { boxId: string }[],
): void {
  if (role !== 'boxes') return
  const own = allowedBoxes(principal) ?? []
  if (boxes.length === 0 || !boxes.every(({ boxId }) => own.includes(boxId)))
    throw new ShopError('auth.forbidden', BOX_NOT_ALLOWED)
}

/** Is this done with an order in this state? @throws ShopError `order.state` */
export function assertMay({ status }: { status: OrderState }, act: keyof typeof orderRefusals): void {
  if (mayDo(status, act)) return
  throw new ShopError('order.state', `This order is ${status}: ${orderRefusals[act]}.`, {
    details: { status },
  })
}

/**
 * How this principal may see the order.
 * @param key the one of the signed link, if any; it counts for `LINK_DAYS`
 * @param right that who sees it for the shop has to have: to change it, or to look alone
 * @throws ShopError `order.not_found`, also for orders of others, so that nobody learns which there are
 */
export async function orderRole(
  { secrets, now }: { secrets: Signing['secrets']; now: () => Date },
  db: Db | Tx,
  principal: Principal,
  order: { id: string; userId: string | null; createdAt: Date },
  key: string | undefined,
  right: 'order:read' | 'order:write' = 'order:write',
): Promise<OrderRole> {
  if (hasRight(principal, 'order:write')) return shopRole(db, principal, order.id)
  if (principal.kind === 'user' && principal.userId === order.userId) return 'buyer'
  if (hasRight(principal, right)) return shopRole(db, principal, order.id)
  const isOver = now().getTime() - order.createdAt.getTime() > LINK_DAYS * DAY_MS
  if (key !== undefined && !isOver && isSame(key, linkKey(secrets, order.id))) return 'buyer'
  throw orderNotFound()
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
