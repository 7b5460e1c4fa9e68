import type { FastifyInstance } from 'fastify'
import type { Drain } from './drain.ts'
import type { Ready } from './readiness.ts'

/** `GET /healthz`: the process is up. `GET /readyz`: whether to send it requests, and what is missing. Source: running.md. */
export function probes(app: FastifyInstance, ready: Ready, drain: Drain): void {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (drain.isStopping) return reply.code(503).send({ ok: false, process: 'stopping' })
    const state = await ready()
    return reply.code(state.ok ? 200 : 503).send(state)
  })
}
