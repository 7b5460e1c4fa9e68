import * as endpoints from '@befaqt/domain/api/endpoints/keys'
import { ApiKeyView, NewApiKey } from '@befaqt/domain/api-key'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '#server/db/client.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { listApiKeys } from './api-keys.ts'
import { createKey, revokeKey } from './manage-keys.ts'

export const keyOperations = defineRoutes(endpoints, {
  listKeys: {
    summary: 'Keys of machines, without the keys themselves.',
    access: 'admin',
    limits: 'manage-read',
    responses: { 200: z.array(ApiKeyView) },
  },
  makeKey: {
    confirmed: true,
    summary: 'Create a key; it is returned this once.',
    access: 'admin',
    limits: 'manage-write',
    body: NewApiKey,
    responses: { 201: ApiKeyView.extend({ key: z.string() }) },
  },
  revokeKey: {
    summary: 'Revoke a key.',
    access: 'admin',
    limits: 'manage-write',
    responses: { 200: Message },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const keyReads = {
  listKeys: ({ db }) => listApiKeys(db),
} satisfies Reads<typeof keyOperations, { db: Db }>

/** Keys of machines, for administrators. Source: running.md 'Keys'. */
export function keyRoutes(app: FastifyInstance, deps: { db: Db; now: () => Date }): void {
  registerReads(app, keyOperations, keyReads, deps)
  registerRoute(app, keyOperations.makeKey, ({ principal, body }) => createKey(deps, principal, body))
  registerRoute(app, keyOperations.revokeKey, async ({ principal, params }) => {
    await revokeKey(deps, principal, params.id)
    return { message: 'The key was revoked.' }
  })
}
