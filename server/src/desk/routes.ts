import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { Waiting } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import type { Db } from '#server/db/client.ts'
import { defineRoutes, type Reads, registerReads } from '#server/http/route.ts'
import { waiting } from './waiting.ts'

const read = { access: 'admin', limits: 'manage-read' } as const

export const deskOperations = defineRoutes(endpoints, {
  readWaiting: {
    ...read,
    summary: 'How much waits for staff: orders, complaints, excursions, emails.',
    responses: { 200: Waiting },
  },
})

type DeskDeps = { db: Db }

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const deskReads = {
  readWaiting: ({ db }) => waiting(db),
} satisfies Reads<typeof deskOperations, DeskDeps>

/** What the staff's desk shows over all parts of the shop. */
export function deskRoutes(app: FastifyInstance, deps: DeskDeps): void {
  registerReads(app, deskOperations, deskReads, deps)
}
