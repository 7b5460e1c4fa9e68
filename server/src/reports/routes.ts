import { FishReport, fishBy, SalesReport, salesBy } from '@befaqt/domain/api/desk-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { CalendarDay } from '@befaqt/domain/slot-rules'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { fishFile, readFish } from './read-boxes.ts'
import { readSales, type SalesReadDeps, salesFile } from './read-sales.ts'

const access = { right: 'report:read', people: true } as const

const range = {
  from: CalendarDay.optional().describe('first day, in market time; otherwise four weeks'),
  to: CalendarDay.optional().describe('last day; otherwise today'),
}
const SalesQuery = z.strictObject({ by: z.enum(salesBy).default('day'), ...range })
const FishQuery = z.strictObject({ by: z.enum(fishBy).default('species'), ...range })

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
  readFish: {
    access,
    limits: 'manage-read',
    summary:
      'Fish of boxes that were registered within a range, by species or box: bought, sold, lost, left, and how fresh it was when sold.',
    query: FishQuery,
    responses: { 200: FishReport },
  },
  exportFish: {
    access,
    limits: 'file',
    summary: 'The same as CSV.',
    query: FishQuery,
    responses: { 200: 'text/csv' },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const reportReads = {
  readSales: (deps, { principal, query }) => readSales(deps, principal, query),
  readFish: (deps, { query }) => readFish(deps, query),
} satisfies Reads<typeof reportOperations, SalesReadDeps>

/** What was sold, and what became of fish, for whoever may see reports. */
export function reportRoutes(app: FastifyInstance, deps: SalesReadDeps): void {
  registerReads(app, reportOperations, reportReads, deps)
  registerRoute(app, reportOperations.exportSales, async ({ principal, query, reply }) =>
    sendFile(reply, await salesFile(deps, principal, query)),
  )
  registerRoute(app, reportOperations.exportFish, async ({ query, reply }) =>
    sendFile(reply, await fishFile(deps, query)),
  )
}

const sendFile = (reply: FastifyReply, { name, text }: { name: string; text: string }): FastifyReply =>
  reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .type('text/csv; charset=utf-8')
    .send(text)
