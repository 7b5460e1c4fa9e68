import { paged } from '@befaqt/domain/api/box-api'
import { HeldMail } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { ListQuery } from '#server/http/list-query.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { giveUpMail } from './give-up.ts'
import { listHeldMail } from './held-mail.ts'
import { sendAgain, sendAllAgain } from './send-again.ts'

export const mailOperations = defineRoutes({
  listHeldMail: {
    method: 'GET',
    url: '/api/manage/mail',
    summary: 'Mail that could not be handed over so far, newest first; never what is in it.',
    access: 'admin',
    limits: 'manage-read',
    query: ListQuery.pick({ page: true, size: true }),
    responses: { 200: paged(HeldMail) },
  },
  sendAllMailAgain: {
    method: 'POST',
    url: '/api/manage/mail/again',
    summary: 'Try every such mail at once.',
    access: 'admin',
    limits: 'manage-write',
    responses: { 200: z.strictObject({ count: z.int() }) },
  },
  sendMailAgain: {
    method: 'POST',
    url: '/api/manage/mail/:id/again',
    summary: 'Try one such mail at once; twice is once.',
    access: 'admin',
    limits: 'manage-write',
    responses: { 200: HeldMail },
  },
  giveUpMail: {
    method: 'DELETE',
    url: '/api/manage/mail/:id',
    summary: 'Give one such mail up: it is never sent.',
    access: 'admin',
    limits: 'manage-write',
    responses: { 204: null },
  },
})

/** Mail that is held up: what managers see of it and do about it. What is in a letter is never answered. */
export function mailRoutes(app: FastifyInstance, deps: { db: Db; now: () => Date }): void {
  registerRoute(app, mailOperations.listHeldMail, ({ query }) => listHeldMail(deps.db, query, deps.now()))
  registerRoute(app, mailOperations.sendAllMailAgain, async ({ principal }) => ({
    count: await sendAllAgain(deps, principal),
  }))
  registerRoute(app, mailOperations.sendMailAgain, ({ principal, params }) =>
    sendAgain(deps, principal, params.id),
  )
  registerRoute(app, mailOperations.giveUpMail, async ({ principal, params }) => {
    await giveUpMail(deps, principal, params.id)
    return undefined
  })
}
