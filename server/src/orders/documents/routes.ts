import * as endpoints from '@befaqt/domain/api/endpoints/order-page'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { newestReceipt } from '#server/anchoring/index.ts'
import { ONE_MOMENT } from '#server/db/client.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import type { Principal } from '#server/identity/principal.ts'
import { boxesOfOrder, type OrderBoxDeps } from '#server/orders/boxes-at-sale.ts'
import { orderLink, orderRole } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { pickUpOf, sellerOf, type WholeOrder } from '#server/orders/order-views.ts'
import { readWholeOrder } from '#server/orders/read-orders.ts'
import { orderCalendar } from './calendar.ts'
import type { BoxesAsOf } from './order-sheets.ts'
import { invoiceSheet, originCsv, originSheet } from './order-sheets.ts'
import { type Sheet, sheetPdf } from './sheet.ts'

const PDF = 'application/pdf'
const read = {
  access: 'public',
  limits: 'order',
  errors: [403],
  query: z.object({ key: z.string().max(128).optional().describe('of the signed link') }),
} as const

export const orderDocumentOperations = defineRoutes(endpoints, {
  readInvoice: {
    ...read,
    summary: 'The tax invoice of an order, or what stands in for it, as PDF. Seen by who may see the order.',
    responses: { 200: PDF },
  },
  readOriginProof: {
    ...read,
    summary: 'Where the seafood of an order comes from (A, I, M), with the proofs of its boxes, as PDF.',
    responses: { 200: PDF },
  },
  exportOriginProof: {
    ...read,
    summary: 'The same as CSV.',
    responses: { 200: 'text/csv' },
  },
  readCalendar: {
    ...read,
    summary: 'The time of an order as a calendar file. A newer one replaces what it said before.',
    responses: { 200: 'text/calendar' },
  },
})

type DocumentDeps = OrderDeps & OrderBoxDeps

/** Documents of an order, for whoever may see it. */
export function orderDocumentRoutes(app: FastifyInstance, deps: DocumentDeps): void {
  const { timeZone } = deps.siteFile.market
  const seen = async (principal: Principal, id: string, key: string | undefined): Promise<WholeOrder> => {
    const whole = await deps.db.transaction((tx) => readWholeOrder(tx, id), ONE_MOMENT)
    if ((await orderRole(deps, deps.db, principal, whole.order, key, 'order:read')) === 'boxes')
      throw new ShopError('auth.forbidden', 'This key is for some boxes only, and this names the buyer.')
    return whole
  }
  const asOf = async (whole: WholeOrder): Promise<BoxesAsOf> => ({
    boxes: await boxesOfOrder(deps, whole),
    at: deps.now(),
    timeZone,
  })
  const send = async (reply: FastifyReply, name: string, sheet: Sheet) => {
    const receipt = await newestReceipt(deps.db)
    const log = receipt && { receipt, publicUrl: deps.config.PUBLIC_URL }
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `inline; filename="${name}.pdf"`)
      .type(PDF)
      .send(await sheetPdf(sheet, log))
  }

  registerRoute(app, orderDocumentOperations.readInvoice, async ({ principal, params, query, reply }) => {
    const whole = await seen(principal, params.id, query.key)
    const { invoiceNumber, number } = whole.order
    return send(
      reply,
      invoiceNumber ?? number,
      invoiceSheet(whole, sellerOf(whole, deps.site.known), await asOf(whole)),
    )
  })
  registerRoute(app, orderDocumentOperations.readOriginProof, async ({ principal, params, query, reply }) => {
    const whole = await seen(principal, params.id, query.key)
    const sheet = originSheet(
      whole,
      sellerOf(whole, deps.site.known),
      deps.config.PUBLIC_URL,
      await asOf(whole),
    )
    return send(reply, `origin-${whole.order.number}`, sheet)
  })
  registerRoute(
    app,
    orderDocumentOperations.exportOriginProof,
    async ({ principal, params, query, reply }) => {
      const whole = await seen(principal, params.id, query.key)
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="origin-${whole.order.number}.csv"`)
        .type('text/csv; charset=utf-8')
        .send(originCsv(whole, deps.config.PUBLIC_URL, await asOf(whole)))
    },
  )
  registerRoute(app, orderDocumentOperations.readCalendar, async ({ principal, params, query, reply }) => {
    const { order, ...whole } = await seen(principal, params.id, query.key)
    const { config, siteFile, site } = deps
    const isByLink = query.key !== undefined
    const page = isByLink ? orderLink(deps, order.id) : `${config.PUBLIC_URL}/user/order/${order.id}`
    const place = pickUpOf({ order, ...whole }, site.known)
    const shop = { name: siteFile.name, place, publicUrl: config.PUBLIC_URL, page }
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', `inline; filename="${order.number}.ics"`)
      .type('text/calendar; charset=utf-8')
      .send(orderCalendar({ order, ...whole }, { ...shop, now: deps.now() }))
  })
}
