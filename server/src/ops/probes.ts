import { endpoint } from '@befaqt/domain/api/endpoint'
import type { FastifyInstance } from 'fastify'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import type { Drain } from './drain.ts'
import type { Ready } from './readiness.ts'

const probe = { access: 'public', limits: 'probe', skipAuthentication: true } as const
const JSON_TYPE = 'application/json'

const endpoints = { isUp: endpoint('GET', '/healthz'), isReady: endpoint('GET', '/readyz') }

export const probeOperations = defineRoutes(endpoints, {
  isUp: { ...probe, summary: 'The process is up.', responses: { 200: JSON_TYPE } },
  isReady: {
    ...probe,
    summary: 'Whether the process can serve requests, and why not.',
    responses: { 200: JSON_TYPE, 503: JSON_TYPE },
  },
})

/** `GET /healthz`: liveness. `GET /readyz`: readiness, with the state of each part. Source: running.md. */
export function probes(app: FastifyInstance, ready: Ready, drain: Drain): void {
  registerRoute(app, probeOperations.isUp, ({ reply }) => reply.send({ ok: true }))
  registerRoute(app, probeOperations.isReady, async ({ reply }) => {
    reply.header('cache-control', 'no-store')
    if (drain.isStopping) return reply.code(503).send({ ok: false, process: 'stopping' })
    const state = await ready()
    return reply.code(state.ok ? 200 : 503).send(state)
  })
}
