import { ShopError } from '@befaqt/domain/errors'
import { sql } from 'drizzle-orm'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { rows } from '#server/db/client.ts'

type UnitChange = { before: { id: string; title: string; unit: string }; after: { unit: string } }
type InUse = { product: string; boxes: string[]; orders: string[]; holds: number; losses: number }

/** Boxes and orders that a refusal names. */
const MAX_NAMED = 10

/**
 * Checks that nothing counts in a unit that is to change: amounts in boxes, of open orders, in carts at the checkout and
 * lost ones would become others. Stock alone does not prevent it. The products must be locked.
 * @throws ShopError `product.unit_in_use`, details `{ product_id, boxes, orders, holds, losses }`
 */
export async function assertUnitsFree(tx: CatalogueTx, changes: readonly UnitChange[]): Promise<void> {
  const changed = changes.filter(({ before, after }) => before.unit !== after.unit)
  if (changed.length === 0) return
  const ids = changed.map(({ before }) => before.id)
  const [used] = await rows<InUse>(
    tx,
    sql`select p.id as product,
          array(select b.box_id from product_boxes b where b.product_id = p.id
            order by b.box_id collate "C" limit ${MAX_NAMED}) as boxes,
          array(select distinct o.number from order_lines l join orders o on o.id = l.order_id
            where l.product_id = p.id and o.status not in ('COMPLETED', 'CANCELLED')
            order by o.number limit ${MAX_NAMED}) as orders,
          (select count(*) from hold_lines l join holds h on h.id = l.hold_id
            where l.product_id = p.id and h.expires_at > clock_timestamp())::int as holds,
          (select count(*) from box_losses t where t.product_id = p.id)::int as losses
        from products p
        where p.id = any(${sql.param(ids)}::text[])
          and (exists (select from product_boxes b where b.product_id = p.id)
            or exists (select from order_lines l join orders o on o.id = l.order_id
              where l.product_id = p.id and o.status not in ('COMPLETED', 'CANCELLED'))
            or exists (select from hold_lines l join holds h on h.id = l.hold_id
              where l.product_id = p.id and h.expires_at > clock_timestamp())
            or exists (select from box_losses t where t.product_id = p.id))
        order by p.id collate "C" limit 1`,
  )
  if (used === undefined) return
  const { before } = changed.find(({ before }) => before.id === used.product) ?? {}
  const { product: product_id, ...counts } = used
  throw new ShopError(
    'product.unit_in_use',
    `The unit of ${before?.title} can’t change: ${inUseText(used)} count in ${before?.unit}.`,
    { details: { product_id, ...counts } },
  )
}

const named = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`${what} ${names.join(', ')}${names.length === MAX_NAMED ? ' and more' : ''}`]

function inUseText({ boxes, orders, holds, losses }: InUse): string {
  return [
    ...named('box', boxes),
    ...named('order', orders),
    ...(holds > 0 ? [`${holds} open checkout${holds > 1 ? 's' : ''}`] : []),
    ...(losses > 0 ? [`${losses} recorded loss${losses > 1 ? 'es' : ''}`] : []),
  ].join('; ')
}
