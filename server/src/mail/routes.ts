import { paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { FailedEmail } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { ListQuery, PLACE } from '#server/http/list-query.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { discardEmail, listFailedEmails, retryAllEmails, retryEmail } from './failed-emails.ts'

export const mailOperations = defineRoutes(endpoints, {
  listFailedEmails: {
    summary: 'Emails that could not be sent so far, newest first, without their content.',
    access: { right: 'site:write', people: true },
    limits: 'manage-read',
    query: ListQuery.pick(PLACE),
    responses: { 200: paged(FailedEmail) },
  },
  retryAllEmails: {
    summary: 'Retry all failed emails now.',
    access: { right: 'site:write', people: true },
    limits: 'manage-write',
    responses: { 200: z.strictObject({ count: z.int() }) },
  },
  retryEmail: {
    summary: 'Retry one failed email now. Idempotent.',
    access: { right: 'site:write', people: true },
    limits: 'manage-write',
    responses: { 200: FailedEmail },
  },
  discardEmail: {
    summary: 'Discard one failed email: it is never sent.',
    access: { right: 'site:write', people: true },
    limits: 'manage-write',
    responses: { 204: null },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const mailReads = {
  listFailedEmails: ({ db, now }, { query }) => listFailedEmails(db, query, now()),
} satisfies Reads<typeof mailOperations, { db: Db; now: () => Date }>

/** Failed emails, for managers. Their content is never returned. */
export function mailRoutes(app: FastifyInstance, deps: { db: Db; now: () => Date }): void {
  registerReads(app, mailOperations, mailReads, deps)
  registerRoute(app, mailOperations.retryAllEmails, async ({ principal }) => ({
    count: await retryAllEmails(deps, principal),
  }))
  registerRoute(app, mailOperations.retryEmail, ({ principal, params }) =>
    retryEmail(deps, principal, params.id),
  )
  registerRoute(app, mailOperations.discardEmail, async ({ principal, params }) => {
    await discardEmail(deps, principal, params.id)
    return undefined
  })
}
