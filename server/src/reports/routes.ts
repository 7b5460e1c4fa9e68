import { SalesReport, salesBy } from '@befaqt/domain/api/desk-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { CalendarDay } from '@befaqt/domain/slot-rules'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { readSales, type SalesReadDeps, salesFile } from './read-sales.ts'

const access = { right: 'report:read', people: true } as const

const SalesQuery = z.strictObject({
  by: z.enum(salesBy).default('day'),
  from: CalendarDay.optional().describe('first day, in market time; otherwise four weeks'),
  to: CalendarDay.optional().describe('last day; otherwise today'),
})

export const reportOperations = defineRoutes(endpoints, {
  readSales: {
    access,
    limits: 'manage-read',
    summary:
      'Sales of a range beside the one before it, by day, product, category, customer, slot or coupon. Customers ask for customer:read, too.',
    query: SalesQuery,
    responses: { 200: SalesReport },
  },
  exportSales: {
    access,
    limits: 'file',
    summary: 'The same as CSV.',
    query: SalesQuery,
    responses: { 200: 'text/csv' },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const reportReads = {
  readSales: (deps, { principal, query }) => readSales(deps, principal, query),
} satisfies Reads<typeof reportOperations, SalesReadDeps>

/** What was sold, for whoever may see reports. */
export function reportRoutes(app: FastifyInstance, deps: SalesReadDeps): void {
  registerReads(app, reportOperations, reportReads, deps)
  registerRoute(app, reportOperations.exportSales, async ({ principal, query, reply }) => {
    const { name, text } = await salesFile(deps, principal, query)
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .type('text/csv; charset=utf-8')
      .send(text)
  })
}
