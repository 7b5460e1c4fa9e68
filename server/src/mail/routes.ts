import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { ManageQuery } from '#server/http/manage-query.ts'
import { giveUpMail } from './give-up.ts'
import { listHeldMail } from './held-mail.ts'
import { sendAgain, sendAllAgain } from './send-again.ts'

type WithId = { Params: { id: string } }
const Page = ManageQuery.pick({ page: true, size: true })

/** Mail that is held up: what managers see of it and do about it. What is in a letter is never answered. */
export function mailRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/manage/mail', (request) => listHeldMail(deps.db, parse(Page, request.query), deps.now()))
  app.post('/api/manage/mail/again', async (request) => ({ count: await sendAllAgain(deps, request.asker) }))
  app.post<WithId>('/api/manage/mail/:id/again', (request) =>
    sendAgain(deps, request.asker, request.params.id),
  )
  app.delete<WithId>('/api/manage/mail/:id', async (request, reply) => {
    await giveUpMail(deps, request.asker, request.params.id)
    return reply.code(204).send()
  })
}
