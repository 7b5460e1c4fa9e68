import type { DeskToday } from '@befaqt/domain/api/today-api'
import { freshnessAt } from '@befaqt/domain/freshness-word'
import { marketDate } from '@befaqt/domain/market-time'
import type { Right } from '@befaqt/domain/rights'
import { daysLater } from '@befaqt/domain/slot-rules'
import { sql } from 'drizzle-orm'
import type { Catalogue } from '#server/catalogue/index.ts'
import { type Db, rows } from '#server/db/client.ts'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import { daySums } from '#server/orders/index.ts'
import { boxesInDoubt } from './boxes-in-doubt.ts'

/** Of each list. */
const MOST = 8
/** Stock at or below this runs out, in the product's unit. */
const LOW_STOCK = 5
/** Open orders that are looked through for what is to pack, from the first slot on. */
const MAX_OPEN = 5_000

export type TodayDeps = {
  db: Db
  now: () => Date
  catalogue: Pick<Catalogue, 'snapshot'>
  siteFile: { market: { timeZone: string } }
}

/**
 * What is to be done now. Sums are of two days' orders, and lists are read from indexes that hold what is open, or from the
 * catalogue in memory: what is read does not grow with the years. What the rights of whoever asks don't open is empty.
 */
export async function today(deps: TodayDeps, principal: Principal): Promise<DeskToday> {
  const { db, now, siteFile } = deps
  const at = now().getTime()
  const day = marketDate(at, siteFile.market.timeZone)
  const sees = (right: Right): boolean => hasRight(principal, right)
  const [sold, soldBefore, slots, shelves, arriving, inDoubt, missing] = await Promise.all([
    soldOn(deps, principal, day),
    soldOn(deps, principal, daysLater(day, -7)),
    sees('order:read') ? slotsToPack(db) : [],
    sees('shop:write') ? onShelves(deps, { at, today: day }) : { nearBest: [], runningOut: [] },
    sees('box:write') ? arrivingBoxes(db) : [],
    boxesInDoubt(db, principal, MOST),
    missingOf(deps, sees),
  ])
  return {
    readAt: new Date(at).toISOString(),
    sold,
    soldBefore,
    slots,
    ...shelves,
    arriving,
    inDoubt,
    missing,
  }
}

async function soldOn(
  { db, siteFile }: TodayDeps,
  principal: Principal,
  day: string,
): Promise<DeskToday['sold']> {
  if (!hasRight(principal, 'order:read')) return { day, orders: 0, grams: 0, revenue: 0 }
  const { orders, grams, revenue } = await daySums(db, day, siteFile.market.timeZone)
  const count = Object.entries(orders).reduce((sum, [state, n]) => (state === 'CANCELLED' ? sum : sum + n), 0)
  return { day, orders: count, grams, revenue }
}

async function slotsToPack(db: Db): Promise<DeskToday['slots']> {
  const found = await rows<DeskToday['slots'][number]>(
    db,
    sql`select s.id as "_id", s.kind, s.starts_at as "startsAt", s.ends_at as "endsAt", s.cut_off_at as "cutOffAt",
          s.time_zone as "timeZone", o.to_pack as "toPack", o.orders
        from (
          select slot_id, count(*)::int as orders, count(*) filter (where status = 'PLACED')::int as to_pack
          from (
            select slot_id, status from orders where status not in ('COMPLETED', 'CANCELLED')
            order by slot_starts_at, created_at, id limit ${MAX_OPEN}
          ) open group by slot_id
        ) o join slots s on s.id = o.slot_id
        where o.to_pack > 0 order by s.starts_at, s.id limit ${MOST}`,
  )
  const text = (at: string): string => new Date(at).toISOString()
  return found.map(({ startsAt, endsAt, cutOffAt, ...slot }) => ({
    ...slot,
    startsAt: text(startsAt),
    endsAt: text(endsAt),
    cutOffAt: text(cutOffAt),
  }))
}

/** What of the products on sale is near its best-by, the first first, and what runs out, the least first. */
async function onShelves(
  { catalogue }: TodayDeps,
  now: { at: number; today: string },
): Promise<Pick<DeskToday, 'nearBest' | 'runningOut'>> {
  const { products } = await catalogue.snapshot()
  const until = daysLater(now.today, 1)
  const nearBest = products.flatMap(({ _id, title, price, discount, unit, stock, box }) => {
    if (box === null || stock === 0) return []
    const { bestBy, word } = freshnessAt(box, now)
    const isNear = word === 'past its best' || (bestBy !== null && bestBy <= until)
    return isNear ? [{ _id, title, price, discount, unit, stock, boxID: box.boxID, bestBy }] : []
  })
  const runningOut = products
    .filter(({ stock }) => stock <= LOW_STOCK)
    .map(({ _id, title, unit, stock }) => ({ _id, title, unit, stock }))
  return {
    nearBest: nearBest.sort((a, b) => (a.bestBy ?? '').localeCompare(b.bestBy ?? '')).slice(0, MOST),
    runningOut: runningOut.sort((a, b) => a.stock - b.stock).slice(0, MOST),
  }
}

/** The condition is that of an index of these boxes alone. */
const arrivingBoxes = (db: Db): Promise<DeskToday['arriving']> =>
  rows(
    db,
    sql`select id as "boxID", species, stage from boxes
        where not sealed and stage in ('at sea', 'on the road') order by silent_after desc nulls last limit ${MOST}`,
  )

async function missingOf(
  { db, catalogue, now }: TodayDeps,
  sees: (right: Right) => boolean,
): Promise<DeskToday['missing']> {
  const { products } = await catalogue.snapshot()
  const coming = await rows(
    db,
    sql`select 1 from slots where starts_at > ${now().toISOString()}::timestamptz and not closed limit 1`,
  )
  return [
    ...(products.length === 0 && sees('shop:write') ? ['products' as const] : []),
    ...(coming.length === 0 && sees('order:write') ? ['slots' as const] : []),
  ]
}
