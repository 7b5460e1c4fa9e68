import { ApiKeyView, NewApiKey } from '@befaqt/domain/api-key'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { Message } from '#server/http/answers.ts'
import { defineRoutes, serve } from '#server/http/route.ts'
import { listApiKeys } from './api-keys.ts'
import { endKey, makeKey } from './manage-keys.ts'

export const keyCalls = defineRoutes({
  listKeys: {
    method: 'GET',
    url: '/api/key',
    summary: 'Keys of machines, without the keys themselves.',
    access: 'admin',
    limits: 'manage-read',
    answers: { 200: z.array(ApiKeyView) },
  },
  makeKey: {
    method: 'POST',
    url: '/api/key',
    summary: 'Make a key; it is answered once.',
    access: 'admin',
    limits: 'manage-write',
    body: NewApiKey,
    answers: { 201: ApiKeyView.extend({ key: z.string() }) },
  },
  revokeKey: {
    method: 'DELETE',
    url: '/api/key/:id',
    summary: 'Revoke a key.',
    access: 'admin',
    limits: 'manage-write',
    answers: { 200: Message },
  },
})

/** Keys of machines, for administrators. Source: running.md 'Keys'. */
export function keyRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, keyCalls.listKeys, () => listApiKeys(deps.db))
  serve(app, keyCalls.makeKey, ({ asker, body }) => makeKey(deps, asker, body))
  serve(app, keyCalls.revokeKey, async ({ asker, params }) => {
    await endKey(deps, asker, params.id)
    return { message: 'The key was revoked.' }
  })
}
