import type { ProductView } from '@befaqt/domain/catalogue'
import { stockStep } from '@befaqt/domain/catalogue-steps'
import { captureAmount, MIN_CARD_CENTS } from '@befaqt/domain/payment'
import { downTo, stepOf } from '@befaqt/domain/quantity'
import { rpcLedger } from '@befaqt/provenance/rpc-ledger'
import { verifyBundle } from '@befaqt/provenance/verify'
import { sql } from 'drizzle-orm'
import { auditBox } from '#server/box-audit/audit-boxes.ts'
import { backingOf, buyableOf, sellableUnits } from '#server/catalogue/sellable.ts'
import { rows } from '#server/db/client.ts'
import { diffExcursions, rebuildExcursions } from '#server/excursions/rebuild-excursions.ts'
import { rowsAlone } from '../anchoring.ts'
import { historyOf } from '../readings.ts'
import { boxIds, productIds } from './beginning.ts'
import { checkInvariants, distinct, paymentsOf, recallsTold } from './invariants.ts'
import type { Model } from './model.ts'
import { erased } from './people.ts'
import { type Storm, Violation } from './storm.ts'
import { shownSums } from './sums.ts'
import type { World } from './world.ts'

/** What must hold when nothing is under way any more. */
type Settled = (world: World, model: Model, storm: Storm) => Promise<string | null>

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The excursions that stand, with what they say. */
const standing = (world: World, box: string) =>
  rows(
    world.db,
    sql`select kind, since, ended_at, peak::float8, grade from excursions
        where box_id = ${box} and withdrawn_at is null and kind = 'warm' order by since`,
  )

const excursions: Settled = async (world) => {
  for (const box of boxIds) {
    const differences = await diffExcursions({ ...world, ...rowsAlone(world.db) }, box)
    if (differences.length > 0) return `${box}: ${JSON.stringify(differences)}`
    const before = await standing(world, box)
    await rebuildExcursions(world.db, box)
    await world.settle()
    const after = await standing(world, box)
    if (JSON.stringify(before) !== JSON.stringify(after))
      return `${box}: ${JSON.stringify(before)}, rebuilt ${JSON.stringify(after)}`
  }
  return null
}

const derived: Settled = async (world) => {
  const deps = { ...world, ...rowsAlone(world.db), catalogue: { changed: () => undefined } }
  for (const id of boxIds)
    for (const { of, words } of await auditBox(deps, id)) return `${id}, ${of}: ${words}`
  return null
}

const histories: Settled = async ({ db }) => {
  try {
    for (const id of boxIds) await historyOf(db, id)
    return null
  } catch (error) {
    return said(error)
  }
}

const proofs: Settled = async (world, _model, storm) => {
  await world.anchor()
  const [ledger] = await rows<{ contract: string }>(world.db, sql`select contract from ledgers`)
  const reader = rpcLedger(world.ledgerUrl, fetch, { contract: ledger?.contract ?? '' })
  for (const id of boxIds) {
    const bundle: unknown = (await storm.ask('GET', `/api/box/${id}/proof`)).json()
    const { verdict, words } = await verifyBundle(bundle, reader)
    if (verdict !== 'verified') return `${id} is ${verdict}: ${words}`
  }
  return null
}

/** Every process shows what the database says may be sold, as exactly as cards do. */
const shown: Settled = async (world, _model, storm) => {
  const stocks = await rows<{ id: string; stock: number }>(
    world.db,
    sql`select id, stock::float8 as stock from products where status = 'ACTIVE'`,
  )
  const backing = await backingOf(world.db, productIds)
  for (const { id, stock } of stocks)
    for (let to = 0; to < world.processes; to++) {
      const views = (await storm.ask('GET', '/api/product/active', { to })).json<ProductView[]>()
      const [view, sellable] = [views.find(({ _id }) => _id === id), sellableUnits(stock, backing.get(id))]
      if (stockStep(view?.stock ?? -1) !== stockStep(downTo(view ? stepOf(view) : 1, sellable)))
        return `${id}: process ${to} shows ${view?.stock}, there are ${sellable}`
    }
  return null
}

const settledMoney: Settled = async (world) => {
  const handedOut = await rows<{ id: string; paid: number }>(
    world.db,
    sql`select order_id as id, sum(paid_cents)::float8 as paid from order_events group by order_id having sum(paid_cents) > 0`,
  )
  const otherwise = new Map(handedOut.map(({ id, paid }) => [id, paid]))
  for (const payment of await paymentsOf(world)) {
    const { id, order_id, state, amount, captured, refunded, url, status, total } = payment
    const held = url === null ? null : world.stripe.held(url)
    const why = `payment ${id}, ${state}, of an order that is ${status}: ${captured} captured, ${refunded} refunded`
    if (held !== null && (held.received !== captured || held.refunded !== refunded))
      return `${why}; the provider says ${held.received} and ${held.refunded}`
    const isOver = status === 'CANCELLED' || (otherwise.get(order_id) ?? 0) > 0
    if (isOver && (captured !== refunded || state === 'AUTHORIZED' || state === 'OPEN')) return why
    const isDue =
      !isOver && status !== 'PLACED' && status !== null && total !== null && total >= MIN_CARD_CENTS
    if (isDue && state === 'AUTHORIZED') return `${why}; ${captureAmount(total, amount)} are due`
    if (!isOver && refunded > 0) return why
  }
  return null
}

/** Every buyer knows how their order stands: no email is missing, and the last about a recall is true. */
const told: Settled = async (world) => {
  const orders = await rows<{ number: string; status: string; unpaid: boolean; kind: string; told: boolean }>(
    world.db,
    sql`select o.number, o.status, o.kind,
          exists (select from order_contacts k where k.order_id = o.id) as told,
          not exists (select from payments p where p.order_id = o.id and p.state not in ('OPEN', 'LAPSED'))
            and exists (select from payments p where p.order_id = o.id) as unpaid
        from orders o`,
  )
  const letters = Map.groupBy(await distinct(world), ({ number }) => number)
  const recalled = await rows<{ id: string }>(world.db, sql`select id from boxes where recall_id is not null`)
  for (const { number, status, unpaid, kind, told: isTold } of orders) {
    if (!isTold) continue // nobody is there any more
    const of = letters.get(number) ?? []
    const has = (wanted: string): boolean => of.some((letter) => letter.kind === wanted)
    if (status === 'CANCELLED' && !has('cancelled')) return `${number} was cancelled, and its buyer not told`
    // What was changed before its first email went out is told as it is by then.
    if (status !== 'CANCELLED' && !unpaid && !has('placed') && !has('amended'))
      return `${number} was placed, and its buyer not told`
    if (status === 'READY' && !has('ready')) return `${number} is ready, and its buyer not told`
    if (status === 'SENT' && kind === 'delivery' && !has('sent'))
      return `${number} was sent, and its buyer not told`
    for (const [box, words] of recallsTold(of))
      if (words.at(-1) === 'recalled' && !recalled.some(({ id }) => id === box))
        return `${number}: the recall of ${box} was withdrawn, and its buyer not told`
  }
  const [untold] = await rows<{ number: string; box: string }>(
    world.db,
    sql`select o.number, b.id as box from boxes b join order_line_boxes x on x.box_id = b.id
        join orders o on o.id = x.order_id where b.recall_id is not null and exists (
          select from order_contacts k where k.order_id = o.id) and not exists (
          select from recall_notices n where n.order_id = o.id and n.recall_id = b.recall_id and n.sent_at is not null)`,
  )
  return untold === undefined ? null : `${untold.number}: ${untold.box} is recalled, and its buyer not told`
}

/** Nobody goes on waiting for what can be bought, and nothing that was planned is late. */
const news: Settled = async ({ db }) => {
  const [late] = await rows<{ id: string }>(
    db,
    sql`select id from products where due_at <= now() - interval '5 seconds'`,
  )
  if (late !== undefined) return `the plan of ${late.id} is late`
  const waits = await rows<{ id: string }>(
    db,
    sql`select distinct product_id as id from stock_notices where confirmed_at is not null and ends_at > now()`,
  )
  const buyable = await buyableOf(
    db,
    waits.map(({ id }) => id),
  )
  return buyable.size === 0 ? null : `${[...buyable]} can be bought, and who waits was not told`
}

/** By the names with which a violation begins. */
export const settledInvariants = {
  'excursions are those of the readings': excursions,
  'what is derived of a box follows from its rows': derived,
  'the history of a box is whole': histories,
  'every process shows what may be sold': shown,
  'payments are settled as orders are': settledMoney,
  'every buyer is told how things stand': told,
  'what buyers read of an order adds up': shownSums,
  'who was erased is nowhere': erased,
  'who waits for what can be bought is told': news,
  'every box verifies': proofs,
} as const satisfies Record<string, Settled>

/** Lets the storm come to rest, and looks at all that must hold then. @throws Violation */
export async function audit(storm: Storm, model: Model): Promise<void> {
  const { world } = storm
  world.refuseMail(false)
  model.mailRefused = false
  for (let i = 0; i < world.processes; i++) await world.restart(i)
  model.away = null
  await world.settle()
  await checkInvariants(storm, model)
  for (const [name, holds] of Object.entries(settledInvariants)) {
    const why = await holds(world, model, storm)
    if (why !== null) throw new Violation(name, why)
  }
}
