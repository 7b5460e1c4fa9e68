import { amountIn } from '@befaqt/domain/amount'
import * as endpoints from '@befaqt/domain/api/endpoints/excursions'
import {
  BoxSaleChange,
  BoxSaleInput,
  BoxSaleView,
  RecallInput,
  RecallView,
} from '@befaqt/domain/api/recall-api'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { boughtText } from '@befaqt/domain/labelling'
import type { FastifyInstance } from 'fastify'
import { boxIDOf } from '#server/boxes/index.ts'
import { ONE_MOMENT } from '#server/db/client.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import type { OrderDeps } from '../order-deps.ts'
import { boxSaleView, setBoxSale } from './off-sale.ts'
import { recallView } from './read-recall.ts'
import { recallBox, resendRecall, withdrawRecall } from './recall-box.ts'

const access = { right: 'order:write' } as const
const read = { access: { right: 'order:read' }, limits: 'manage-read' } as const

const recallOperations = defineRoutes(endpoints, {
  readBoxSale: {
    summary: 'Whether a box is off sale, since when, why and by whom.',
    ...read,
    responses: { 200: BoxSaleView },
  },
  setBoxSale: {
    summary:
      'Take a box off sale, with the reason, or put it back. Nobody is notified; its products keep their status.',
    access,
    limits: 'manage-write',
    body: BoxSaleInput,
    responses: { 200: BoxSaleChange },
  },
  readRecall: {
    summary: 'The recall of a box, or what it would be: all orders packed from it, and who was reached.',
    ...read,
    responses: { 200: RecallView },
  },
  recallBox: {
    summary: 'Recall a box and notify its buyers. Its history says so, with the reason.',
    access,
    limits: 'manage-write',
    body: RecallInput,
    responses: { 200: RecallView },
  },
  resendRecall: {
    summary: 'Email again those who were not reached.',
    access,
    limits: 'manage-write',
    responses: { 200: RecallView },
  },
  withdrawRecall: {
    summary: 'Withdraw the recall of a box.',
    access,
    limits: 'manage-write',
    body: RecallInput,
    responses: { 200: RecallView },
  },
  exportRecall: {
    summary: 'Whom a recall concerns, with their contacts, as CSV.',
    ...read,
    access: { ...read.access, allBoxes: true },
    responses: { 200: 'text/csv' },
  },
})

/** A key for some boxes recalls them, and is not told who the buyers are. */
const seenBy = (principal: Principal, view: RecallView): RecallView =>
  allowedBoxes(principal) === null
    ? view
    : { ...view, orders: view.orders.map((order) => ({ ...order, contact: null, noticeError: '' })) }

/** Recalls of boxes. */
export function recallRoutes(app: FastifyInstance, deps: OrderDeps): void {
  const read = (boxID: string) => deps.db.transaction((tx) => recallView(tx, boxID), ONE_MOMENT)

  registerRoute(app, recallOperations.readBoxSale, ({ params, principal }) =>
    boxSaleView(deps.db, boxIDOf(params, principal)),
  )
  registerRoute(app, recallOperations.setBoxSale, ({ params, principal, body }) =>
    setBoxSale(deps, principal, boxIDOf(params, principal), body),
  )
  registerRoute(app, recallOperations.readRecall, async ({ params, principal }) =>
    seenBy(principal, await read(boxIDOf(params, principal))),
  )
  registerRoute(app, recallOperations.recallBox, async ({ params, principal, body }) =>
    seenBy(principal, await recallBox(deps, principal, boxIDOf(params, principal), body.reason)),
  )
  registerRoute(app, recallOperations.resendRecall, async ({ params, principal }) =>
    seenBy(principal, await resendRecall(deps, principal, boxIDOf(params, principal))),
  )
  registerRoute(app, recallOperations.withdrawRecall, async ({ params, principal, body }) =>
    seenBy(principal, await withdrawRecall(deps, principal, boxIDOf(params, principal), body.reason)),
  )
  registerRoute(app, recallOperations.exportRecall, async ({ params, principal, reply }) => {
    const boxID = boxIDOf(params, principal)
    const csv = recallCsv(await read(boxID))
    return reply
      .header('content-disposition', `attachment; filename="recall-${boxID}.csv"`)
      .type('text/csv; charset=utf-8')
      .send(csv)
  })
}

const COLUMNS = ['order', 'status', 'name', 'email', 'phone', 'bought', 'notice', 'error']

/** The buyers whom a recall concerns, as CSV for phone calls or another email program. */
export const recallCsv = ({ orders }: RecallView): string =>
  csvHeader(COLUMNS) +
  csvRows(
    orders.map(({ number, status, contact, lines, notice, noticeError }) => [
      number,
      status,
      contact ? `${contact.fname} ${contact.lname}` : '',
      contact?.email ?? '',
      contact?.phone ?? '',
      lines
        .map(({ title, unit, amount }) => `${title} ${boughtText(amountIn(unit, amount), unit)}`)
        .join('; '),
      notice,
      noticeError,
    ]),
  )
