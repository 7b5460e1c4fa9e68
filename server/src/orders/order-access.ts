import { timingSafeEqual } from 'node:crypto'
import { urlOf } from '@befaqt/domain/api/endpoint'
import { readInvoice } from '@befaqt/domain/api/endpoints/order-documents'
import { ShopError } from '@befaqt/domain/errors'
import { z } from 'zod'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

/** The query of what may be seen by the signed link of an order. */
export const LinkKey = z.object({ key: z.string().max(128).optional().describe('of the signed link') })

type Signing = { secrets: Pick<Secrets, 'hmac'>; config: { PUBLIC_URL: string } }

const linkKey = (secrets: Signing['secrets'], id: string): string => secrets.hmac(id, 'order link')

/** The signed link of an order's page, for its emails and for whoever placed it: it needs no sign-in. */
export const orderLink = ({ secrets, config }: Signing, id: string): string =>
  `${config.PUBLIC_URL}/user/order/${id}?key=${linkKey(secrets, id)}`

/** The signed link of an order's invoice. */
export const invoiceLink = ({ secrets, config }: Signing, id: string): string =>
  `${config.PUBLIC_URL}${urlOf(readInvoice, { params: { id }, query: { key: linkKey(secrets, id) } })}`

/** How somebody may see an order: as its buyer, or for the shop. */
export type OrderRole = 'buyer' | 'shop'

export const orderNotFound = (): ShopError => new ShopError('order.not_found', 'There is no such order.')

/**
 * How this principal may see the order.
 * @param key the one of the signed link, if any
 * @throws ShopError `order.not_found`, also for orders of others, so that nobody learns which there are
 */
export function orderRole(
  { secrets }: { secrets: Signing['secrets'] },
  principal: Principal,
  order: { id: string; userId: string | null },
  key: string | undefined,
): OrderRole {
  if (hasRight(principal, 'order:write')) return 'shop'
  if (principal.kind === 'user' && principal.userId === order.userId) return 'buyer'
  if (key !== undefined && isSame(key, linkKey(secrets, order.id))) return 'buyer'
  throw orderNotFound()
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
