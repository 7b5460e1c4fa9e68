import type { BoxInDoubt } from '@befaqt/domain/api/today-api'
import { excursionText } from '@befaqt/domain/excursions'
import { type SQL, sql } from 'drizzle-orm'
import { isStopped } from '#server/catalogue/index.ts'
import { type Db, rows } from '#server/db/client.ts'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import { boxesOfLines, boxSaleView } from '#server/orders/index.ts'

/** Excursions, and complaints, that are looked through, the newest. */
const MAX_LOOKED_THROUGH = 1_000

type Excursion = Parameters<typeof excursionText>[0] & {
  id: string
  since: Date | string
  endedAt: Date | string | null
}
type Found = Pick<BoxInDoubt, 'boxID' | 'species' | 'complaints' | 'stops' | 'goesOn' | 'orders'> & {
  excursion: Excursion | null
}

/**
 * Boxes about which somebody may have to do something, those that are still on sale first, with what taking them off sale
 * would stop: found in the indexes of excursions that nobody closed and of complaints at which nobody has looked. Each box is
 * looked up by its id (`offset 0`): joined, the planner reads all boxes that the shop ever had.
 * @param most so many
 */
export async function boxesInDoubt(db: Db, principal: Principal, most: number): Promise<BoxInDoubt[]> {
  const seesBoxes = hasRight(principal, 'box:write')
  const seesOrders = hasRight(principal, 'order:read')
  if (!(seesBoxes || seesOrders)) return []
  const found = await rows<Found>(
    db,
    sql`with doubts as (
          select box_id, count(*)::int as complaints from (
            select unnest(${boxesOfLines}) as box_id from complaints c
            where ${seesOrders} and (c.about_boxes and c.checked_at is null)
            order by c.created_at desc limit ${MAX_LOOKED_THROUGH}
          ) said group by box_id
        ), warm as (
          select distinct on (box_id) * from (
            select * from excursions where ${seesBoxes} and closed_at is null and withdrawn_at is null
            order by created_at desc, id desc limit ${MAX_LOOKED_THROUGH}
          ) e order by box_id, ended_at is null desc, since desc
        )
        select b.id as "boxID", b.species, coalesce(d.complaints, 0) as complaints,
          case when w.id is not null then json_build_object('id', w.id, 'kind', w.kind, 'since', w.since,
            'endedAt', w.ended_at, 'peak', w.peak, 'grade', w.grade,
            'limitDegrees', w.limit_degrees, 'limitMinutes', w.limit_minutes) end as excursion,
          ${titles(sql`not exists`)} as stops, ${titles(sql`exists`)} as "goesOn",
          (select count(distinct o.id)::int from order_line_boxes l join orders o on o.id = l.order_id
            where l.box_id = b.id and o.status in ('PACKED', 'READY')) as orders
        from doubts d full join warm w on w.box_id = d.box_id
          cross join lateral (select * from boxes where id = coalesce(d.box_id, w.box_id) offset 0) b
        order by ${isStopped(sql`b`)}, coalesce(d.complaints, 0) = 0, w.ended_at is null desc, w.since desc, b.id
        limit ${most}`,
  )
  const sales = await Promise.all(found.map(({ boxID }) => boxSaleView(db, boxID)))
  return found.flatMap(({ excursion, ...row }, i) => {
    const sale = sales[i]
    return sale === undefined ? [] : [{ ...row, excursion: excursion && excursionOf(excursion), sale }]
  })
}

/** SQL: listed products of box `b` for which another box on sale is there, or not. */
const titles = (another: SQL): SQL => sql`(select coalesce(array_agg(p.title order by p.title), '{}')
  from product_boxes pb join products p on p.id = pb.product_id
  where pb.box_id = b.id and p.status = 'ACTIVE' and ${another} (
    select from product_boxes other join boxes x on x.id = other.box_id
    where other.product_id = p.id and x.id <> b.id and not ${isStopped(sql`x`)}))`

const excursionOf = (row: Excursion): NonNullable<BoxInDoubt['excursion']> => ({
  id: row.id,
  text: excursionText(row),
  since: new Date(row.since).toISOString(),
  endedAt: row.endedAt === null ? null : new Date(row.endedAt).toISOString(),
})
