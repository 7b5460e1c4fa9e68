import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type {
  ExcursionClosing,
  ExcursionDetail,
  ExcursionState,
  ExcursionRow as ExcursionView,
} from '@befaqt/domain/api/excursion-api'
import type { BoxSaleChange } from '@befaqt/domain/api/recall-api'
import { ShopError } from '@befaqt/domain/errors'
import { excursionText } from '@befaqt/domain/excursions'
import { carryOut, edgeOf, type Handlers } from '@befaqt/domain/life'
import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { actorNames } from '#server/audit/history.ts'
import type { HistoryDeps, Market } from '#server/boxes/index.ts'
import { type CatalogueTx, type CatalogueWriter, changeCatalogue } from '#server/catalogue/index.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { countListed, falling, keysetPage } from '#server/db/keyset.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { excursionNotes, excursions, noticeDeliveries, noticeTargets } from '#server/db/schema/excursions.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import { boxSaleView, setBoxSaleIn } from '#server/orders/index.ts'
import { readingsAround } from './box-readings.ts'
import { type ClosingEffect, excursionLife, stateOf, tell } from './excursion-changes.ts'
import { type ExcursionRow, type NoticeDeps, receiptOf } from './notify.ts'

export type ExcursionDeps = CatalogueWriter & NoticeDeps & { siteFile: { market: Market } }

const notFound = () => new ShopError('not_found', 'There is no such excursion.')

const view = (row: ExcursionRow, species: string): ExcursionView => ({
  id: row.id,
  boxID: row.boxId,
  species,
  kind: row.kind,
  text: excursionText(row),
  since: row.since.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  peak: row.peak,
  peakAt: row.peakAt?.toISOString() ?? null,
  limit: row.limitDegrees,
  grade: row.grade === 2 || row.grade === 4 ? row.grade : 0,
  closedAt: row.closedAt?.toISOString() ?? null,
  closeReason: row.closeReason,
  withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
  mergedInto: row.mergedInto,
})

/** Those that nobody has closed. */
const toReview = and(isNull(excursions.closedAt), isNull(excursions.withdrawnAt))

const states = {
  open: and(toReview, isNull(excursions.endedAt)),
  ended: and(toReview, isNotNull(excursions.endedAt)),
  closed: and(isNotNull(excursions.closedAt), isNull(excursions.withdrawnAt)),
  withdrawn: isNotNull(excursions.withdrawnAt),
} as const satisfies Record<ExcursionState, unknown>

/** Excursions of a state, newest first; by default those that nobody has closed. */
export async function listExcursions(
  db: Db,
  { state, ...place }: ListPlace & { state?: keyof typeof states | undefined },
): Promise<Paged<ExcursionView>> {
  const inState = state === undefined ? toReview : states[state]
  const { rows: found, ...page } = await keysetPage(
    place,
    { keys: [falling(excursions.createdAt), falling(excursions.id)], of: ['excursions', { state }] },
    ({ where, order, limit, offset, at }) =>
      db
        .select({ row: excursions, species: boxes.species, at })
        .from(excursions)
        .innerJoin(boxes, eq(boxes.id, excursions.boxId))
        .where(and(inState, where))
        .orderBy(...order)
        .limit(limit)
        .offset(offset),
    (beyond) => countListed(db, excursions, inState, beyond),
  )
  return { ...page, rows: found.map(({ row, species }) => view(row, species)) }
}

/** One excursion with what is behind it. @throws ShopError `not_found` */
export async function readExcursion(
  deps: HistoryDeps & { siteFile: { market: Market } },
  id: string,
): Promise<ExcursionDetail> {
  const { db } = deps
  const [found] = await db
    .select({ row: excursions, species: boxes.species })
    .from(excursions)
    .innerJoin(boxes, eq(boxes.id, excursions.boxId))
    .where(eq(excursions.id, id))
  if (found === undefined) throw notFound()
  const { row, species } = found
  const notes = await db
    .select()
    .from(excursionNotes)
    .where(eq(excursionNotes.excursionId, id))
    .orderBy(asc(excursionNotes.happenedAt), asc(excursionNotes.id))
  const names = await actorNames(db, [...new Set(notes.map(({ who }) => who))])
  const orders = await rows<{ _id: string; number: string; status: string }>(
    db,
    sql`select distinct o.id as "_id", o.number, o.status, o.created_at from order_line_boxes l
        join orders o on o.id = l.order_id where l.box_id = ${row.boxId} order by o.created_at desc limit 200`,
  )
  return {
    ...view(row, species),
    readings: await readingsAround(deps, row, deps.siteFile.market.timeZone),
    products: await db
      .select({ _id: products.id, title: products.title, status: products.status, version: products.version })
      .from(productBoxes)
      .innerJoin(products, eq(products.id, productBoxes.productId))
      .where(eq(productBoxes.boxId, row.boxId))
      .orderBy(asc(products.title)),
    sale: await boxSaleView(db, row.boxId),
    orders: orders.map(({ _id, number, status }) => ({ _id, number, status })),
    notes: notes.map(({ text, who, happenedAt }) => ({
      text,
      who: names.get(who) ?? who,
      at: happenedAt.toISOString(),
    })),
    notices: await noticesOf(db, id),
  }
}

/** By what the queue of emails knows a notice. */
const emailKey = sql`${receiptOf('')} || ${noticeDeliveries.id}`

async function noticesOf(db: Db, id: string): Promise<ExcursionDetail['notices']> {
  const found = await db
    .select({ notice_deliveries: noticeDeliveries, notice_targets: noticeTargets, email: jobs })
    .from(noticeDeliveries)
    .innerJoin(noticeTargets, eq(noticeTargets.id, noticeDeliveries.targetId))
    .leftJoin(jobs, and(eq(jobs.queue, MAIL_QUEUE), eq(jobs.uniqueKey, emailKey)))
    .where(eq(noticeDeliveries.excursionId, id))
    .orderBy(asc(noticeDeliveries.createdAt))
  return found.map(({ notice_deliveries: message, notice_targets: target, email }) => ({
    id: message.id,
    event: message.event,
    address: target.address,
    attempts: email?.attempts ?? message.attempts,
    deliveredAt: message.deliveredAt?.toISOString() ?? null,
    failedAt: (message.failedAt ?? email?.failedAt)?.toISOString() ?? null,
    cancelledAt: message.cancelledAt?.toISOString() ?? null,
    lastError: email?.lastError ?? message.lastError,
  }))
}

/** The box of an excursion, which never changes: what its sale shows on. @throws ShopError `not_found` */
async function boxOf(db: Db, id: string): Promise<{ boxes: [string] }> {
  const [row] = await db.select({ box: excursions.boxId }).from(excursions).where(eq(excursions.id, id))
  if (row === undefined) throw notFound()
  return { boxes: [row.box] }
}

async function lockExcursion(tx: Tx, id: string): Promise<ExcursionRow> {
  const [row] = await tx.select().from(excursions).where(eq(excursions.id, id)).for('update')
  if (row === undefined) throw notFound()
  return row
}

/** @throws ShopError `not_found` */
export async function addNote(
  { db }: { db: Db },
  principal: Principal,
  id: string,
  text: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockExcursion(tx, id)
    await insertNote(tx, principal, id, text)
  })
}

const insertNote = (tx: Tx, principal: Principal, id: string, text: string): Promise<unknown> =>
  tx.insert(excursionNotes).values({ excursionId: id, text, who: actorId(principal) })

/**
 * Closes an excursion, with the reason, and puts its box back on sale where that is asked for.
 * @throws ShopError `not_found`, `conflict` when it is closed or withdrawn
 */
export const closeExcursion = async (
  deps: ExcursionDeps,
  principal: Principal,
  id: string,
  { text: reason, backOnSale = false }: ExcursionClosing,
): Promise<boolean> =>
  changeCatalogue(
    deps,
    async (tx) => {
      const before = await lockExcursion(tx, id)
      const move = edgeOf(excursionLife, stateOf(before), 'close', 'manager')
      if (move === undefined)
        throw new ShopError(
          'conflict',
          before.closedAt === null ? 'This excursion was withdrawn.' : 'This excursion is closed already.',
        )
      const closed = { closedAt: deps.now(), closedBy: actorId(principal), closeReason: reason }
      await tx.update(excursions).set(closed).where(eq(excursions.id, id))
      const row = { ...before, ...closed }
      const made = await carryOut(move.effects, closings, { tx, deps, principal, row, reason, backOnSale })
      return made.includes(true)
    },
    (isChange) => isChange,
    await boxOf(deps.db, id),
  )

type Closing = {
  tx: CatalogueTx
  deps: ExcursionDeps
  principal: Principal
  row: ExcursionRow
  reason: string
  backOnSale: boolean
}

/** What closing one brings about. Each may return whether the public catalogue changed. */
const closings: Handlers<ClosingEffect, [Closing], unknown> = {
  'note the reason': ({ tx, principal, row, reason }) =>
    insertNote(tx, principal, row.id, `Closed: ${reason}`),
  audit: ({ tx, principal, row, reason }) =>
    writeAuditEntry(tx, principal, 'box', row.boxId, { before: {}, after: { excursionClosed: reason } }),
  'tell: closed': tell('closed'),
  'put the box back on sale if asked': async ({ tx, principal, row, backOnSale }) =>
    backOnSale && (await setSaleIn(tx, principal, row, false)).isChange,
}

/** Takes the box of an excursion off sale, and notes it. Returns how many of its products were on sale. @throws ShopError `not_found` */
export const takeOffSale = async (
  deps: ExcursionDeps,
  principal: Principal,
  id: string,
): Promise<{ taken: number; sale: BoxSaleChange }> => {
  const { taken, sale } = await changeCatalogue(
    deps,
    async (tx) => setSaleIn(tx, principal, await lockExcursion(tx, id), true),
    ({ isChange }) => isChange,
    await boxOf(deps.db, id),
  )
  return { taken, sale }
}

/**
 * Puts the box of an excursion back on sale, and notes it; with `since`, as `BoxSaleInput` has it.
 * @throws ShopError `not_found`, `box.recalled`, `conflict`
 */
export const putBackOnSale = async (
  deps: ExcursionDeps,
  principal: Principal,
  id: string,
  since?: string,
): Promise<unknown> =>
  changeCatalogue(
    deps,
    async (tx) => setSaleIn(tx, principal, await lockExcursion(tx, id), false, since),
    ({ isChange }) => isChange,
    await boxOf(deps.db, id),
  )

/** What is so already stays as it is, without another note. */
async function setSaleIn(
  tx: CatalogueTx,
  principal: Principal,
  row: ExcursionRow,
  offSale: boolean,
  since?: string,
): Promise<{ taken: number; sale: BoxSaleChange; isChange: boolean }> {
  const reason = offSale ? `Excursion: ${excursionText(row)}` : ''
  const asked = { offSale, reason, ...(since !== undefined && { since }) }
  const { sale, isChange } = await setBoxSaleIn(tx, principal, row.boxId, asked)
  if (!sale.changed) return { taken: 0, sale, isChange }
  const linked = await tx
    .select({ title: products.title })
    .from(productBoxes)
    .innerJoin(products, eq(products.id, productBoxes.productId))
    .where(and(eq(productBoxes.boxId, row.boxId), eq(products.status, 'ACTIVE')))
    .orderBy(asc(products.title))
  const titles = linked.length === 0 ? '' : `: ${linked.map(({ title }) => title).join(', ')}`
  await insertNote(tx, principal, row.id, `${offSale ? 'Taken off sale' : 'Put back on sale'}${titles}`)
  return { taken: linked.length, sale, isChange }
}
