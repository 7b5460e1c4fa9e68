import { FoundAtDesk } from '@befaqt/domain/api/desk-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { DeskToday, Waiting } from '@befaqt/domain/api/today-api'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import type { Right } from '@befaqt/domain/rights'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { peopleFound } from '#server/accounts/index.ts'
import { boxesFound } from '#server/boxes/index.ts'
import { productsFound } from '#server/catalogue/index.ts'
import type { Db } from '#server/db/client.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { defineRoutes, type Reads, registerReads } from '#server/http/route.ts'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import { newestFound } from '#server/orders/index.ts'
import { type TodayDeps, today } from './today.ts'
import { waiting } from './waiting.ts'

/** Of each kind. */
const FOUND = 5

/**
 * What staff look for by any word or number, a few of each kind that their rights open; one after the other on the
 * connection of a search.
 */
export async function find(db: Db, principal: Principal, q: string): Promise<FoundAtDesk> {
  const ifMay = async <Row>(right: Right, look: () => Promise<Row[]>): Promise<Row[]> =>
    hasRight(principal, right) ? look() : []
  return {
    orders: await ifMay('order:read', () => newestFound(db, q, FOUND)),
    products: await ifMay('shop:write', () => productsFound(db, q, FOUND)),
    boxes: await ifMay('box:write', () => boxesFound(db, q, FOUND)),
    people: await ifMay(hasRight(principal, 'customer:read') ? 'customer:read' : 'user:write', () =>
      peopleFound(db, q, FOUND),
    ),
  }
}

const read = { access: 'staff', limits: 'manage-read' } as const

export const deskOperations = defineRoutes(endpoints, {
  readWaiting: {
    ...read,
    summary: 'How much waits for staff: orders, complaints, excursions, emails.',
    responses: { 200: Waiting },
  },
  readToday: {
    ...read,
    summary:
      'What is to be done now: orders by slot, the day so far, what is near its best-by, runs out or arrives.',
    responses: { 200: DeskToday },
  },
  findAtDesk: {
    ...read,
    summary: 'A few orders, products, boxes and people by any word or number, as far as rights go.',
    query: z.strictObject({ q: z.string().trim().min(1, 'q is required').max(MAX_SEARCH) }),
    responses: { 200: FoundAtDesk },
  },
})

type DeskDeps = TodayDeps & { search: Search }

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const deskReads = {
  readWaiting: ({ db }, { principal }) => waiting(db, principal),
  readToday: (deps, { principal }) => today(deps, principal),
  findAtDesk: ({ search }, { principal, query, signal }) =>
    search('managers', (db) => find(db, principal, query.q), signal),
} satisfies Reads<typeof deskOperations, DeskDeps>

/** What the staff's desk shows over all parts of the shop. */
export function deskRoutes(app: FastifyInstance, deps: DeskDeps): void {
  registerReads(app, deskOperations, deskReads, deps)
}
