import { Readable } from 'node:stream'
import { paged } from '@befaqt/domain/api/box-api'
import { Customer, CustomerList, FishReport, fishBy, SalesReport, salesBy } from '@befaqt/domain/api/desk-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { OrderRow } from '@befaqt/domain/api/order-api'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import { CalendarDay } from '@befaqt/domain/slot-rules'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Search } from '#server/http/limits/limited-search.ts'
import { ListQuery, PLACE } from '#server/http/list-query.ts'
import { defineRoutes, disconnected, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { mergeGuestOrders, ownOrders } from '#server/orders/index.ts'
import { listCustomers, readCustomer } from './customers.ts'
import { fishFile, readFish } from './read-boxes.ts'
import { fileTurns, readSales, type SalesReadDeps, salesFile } from './read-sales.ts'

const access = { right: 'report:read', people: true } as const

const range = {
  from: CalendarDay.optional().describe('first day, in market time; otherwise four weeks'),
  to: CalendarDay.optional().describe('last day; otherwise today'),
}
const SalesQuery = z.strictObject({
  by: z.enum(salesBy).default('day'),
  category: z.string().min(1).max(64).optional().describe('by product: those of this category alone'),
  ...range,
})
const FishQuery = z.strictObject({ by: z.enum(fishBy).default('species'), ...range })

const customers = { right: 'customer:read', people: true } as const

export const reportOperations = defineRoutes(endpoints, {
  readSales: {
    access,
    limits: 'manage-read',
    summary:
      'Sales of a range beside the one before it, by day, product, category, customer, slot or coupon. Customers ask for customer:read, too.',
    query: SalesQuery,
    errors: [404],
    responses: { 200: SalesReport },
  },
  exportSales: {
    access,
    limits: 'file',
    summary: 'The same as CSV.',
    query: SalesQuery,
    errors: [404],
    responses: { 200: 'text/csv' },
  },
  readFish: {
    access,
    limits: 'manage-read',
    summary:
      'Fish of boxes that were registered within a range, by species or box: bought, sold, lost, left, and how fresh it was when sold; or why it was lost.',
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
  listCustomers: {
    access: customers,
    limits: 'manage-read',
    summary:
      'Accounts that bought something, the most first, or those that are found by name, email or phone.',
    query: z.strictObject({
      q: z.string().trim().max(MAX_SEARCH).optional(),
      after: z.string().max(200).optional().describe('`next` of the page before'),
    }),
    responses: { 200: CustomerList },
  },
  readCustomer: {
    access: customers,
    limits: 'manage-read',
    summary: 'Who somebody is and what they bought by year.',
    responses: { 200: Customer },
  },
  listCustomerOrders: {
    access: customers,
    limits: 'manage-read',
    summary: 'Orders of an account, the newest first.',
    query: ListQuery.pick(PLACE),
    responses: { 200: paged(OrderRow) },
  },
  mergeGuestOrders: {
    access: { right: 'user:write', people: true },
    limits: 'manage-write',
    summary: 'Give an account the orders that were placed without one for its confirmed address.',
    responses: { 200: z.strictObject({ count: z.int() }) },
  },
})

type ReportDeps = SalesReadDeps & { search: Search }

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const reportReads = {
  readSales: (deps, { principal, query }) => readSales(deps, principal, query),
  readFish: (deps, { query }) => readFish(deps, query),
  listCustomers: ({ search, ...deps }, { query, signal }) =>
    search('managers', (db) => listCustomers({ ...deps, db }, query), signal),
  readCustomer: (deps, { params }) => readCustomer(deps, params.id),
  listCustomerOrders: ({ db }, { params, query }) => ownOrders(db, params.id, query),
} satisfies Reads<typeof reportOperations, ReportDeps>

/** What was sold, what became of fish, and who bought. */
export function reportRoutes(app: FastifyInstance, deps: ReportDeps): void {
  registerReads(app, reportOperations, reportReads, deps)
  registerRoute(app, reportOperations.mergeGuestOrders, async ({ principal, params }) => ({
    count: await mergeGuestOrders(deps.db, principal, params.id),
  }))
  const turns = fileTurns()
  registerRoute(app, reportOperations.exportSales, async ({ principal, query, reply }) =>
    sendFile(reply, await salesFile(deps, principal, query, turns(disconnected(reply)))),
  )
  registerRoute(app, reportOperations.exportFish, async ({ query, reply }) =>
    sendFile(reply, await fishFile(deps, query)),
  )
}

const sendFile = (
  reply: FastifyReply,
  { name, lines }: { name: string; lines: Iterable<string> | AsyncIterable<string> },
): FastifyReply =>
  reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .type('text/csv; charset=utf-8')
    .send(Readable.from(lines))
