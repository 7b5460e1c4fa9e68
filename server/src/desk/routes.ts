import { DeskToday, FoundAtDesk, Waiting } from '@befaqt/domain/api/desk-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { MAX_SEARCH } from '@befaqt/domain/limits'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Search } from '#server/http/limits/limited-search.ts'
import { defineRoutes, type Reads, registerReads } from '#server/http/route.ts'
import { find } from './find.ts'
import { type TodayDeps, today } from './today.ts'
import { waiting } from './waiting.ts'

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
