import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { rows } from '#server/db/client.ts'
import type { Deps } from '#server/deps.ts'

/** `GET /healthz`: the process is up. `GET /readyz`: what it stands on answers; says which does not. Source: running.md. */
export function healthRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async () => ({ ok: true }))
  app.get('/readyz', async (_request, reply) => {
    const parts = {
      database: await answers(() => rows(deps.db, sql`select 1`)),
      ...(await ledgerParts(deps)),
    }
    const ok = Object.values(parts).every((state) => state === 'ok')
    return reply.code(ok ? 200 : 503).send({ ok, ...parts })
  })
}

async function ledgerParts(deps: Deps): Promise<Record<string, string>> {
  const chain = await answers(async () => {
    if (!(await deps.ledger.where()).contract) throw new Error('the contract is not deployed yet')
  })
  const queue = await answers(async () => {
    await rows(deps.db, sql`select 1 from jobs limit 1`)
  })
  return { chain, queue }
}

const answers = (ask: () => Promise<unknown>): Promise<string> =>
  ask().then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? error.message : 'no answer'),
  )
