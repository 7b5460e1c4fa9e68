import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { ShopHealth } from '@befaqt/domain/api/manage-api'
import type { FastifyInstance } from 'fastify'
import { defineRoutes, type Reads, registerReads } from '#server/http/route.ts'
import { readinessOf } from './readiness.ts'
import type { ReadinessDeps } from './readiness-checks.ts'
import { thisBuild } from './this-build.ts'

export const healthOperations = defineRoutes(endpoints, {
  readShopHealth: {
    summary: 'How the parts are that the shop runs on, as its readiness says.',
    access: { right: 'site:write', people: true },
    limits: 'manage-read',
    responses: { 200: ShopHealth },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const healthReads = {
  readShopHealth: async (deps) => {
    const { ok, ...parts } = await readinessOf(deps)()
    return { ok, parts: Object.entries(parts).map(([name, state]) => ({ name, state })), runs: thisBuild }
  },
} satisfies Reads<typeof healthOperations, ReadinessDeps>

/** What a probe of this process is told, for who looks after the shop: a proxy keeps `/readyz` to operators. */
export function healthRoutes(app: FastifyInstance, deps: ReadinessDeps): void {
  registerReads(app, healthOperations, healthReads, deps)
}
