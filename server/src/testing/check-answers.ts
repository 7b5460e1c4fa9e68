import { channel } from 'node:diagnostics_channel'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Problem } from '@befaqt/domain/api/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { errorStatusesOf, isDocumented } from '#server/ops/openapi.ts'

/** Fastify publishes every new app here, so that our hooks come before those of the app itself. */
const initialization = channel('fastify.initialization')

/**
 * Compares every response of an app with the definition of its route.
 * @param build creates the app synchronously, before it awaits anything
 * @returns the app, and a growing list of mismatches
 */
export async function withAnswersChecked(
  build: () => Promise<FastifyInstance>,
): Promise<{ app: FastifyInstance; misfits: readonly string[] }> {
  const misfits: string[] = []
  const watch = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onSend', async (request, reply, payload) => {
      const wrong = misfit(request, reply, payload)
      if (wrong !== undefined) misfits.push(`${request.method} ${request.url} ${reply.statusCode}: ${wrong}`)
    })
  }
  initialization.subscribe(watch)
  const building = build()
  initialization.unsubscribe(watch)
  return { app: await building, misfits }
}

/** The mismatch of a response with its route; undefined: none. */
function misfit(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined {
  const { route } = request.routeOptions.config
  const { statusCode: status } = reply
  if (route === undefined || !isDocumented(route) || request.method === 'HEAD' || status === 304)
    return undefined
  const refusal = errorStatusesOf(route).includes(status) ? (route.errorSchema ?? Problem) : undefined
  const said = status in route.responses ? route.responses[status] : refusal
  if (said === undefined) return `the route does not say that it answers this status (${payload})`
  if (said === null) return payload === undefined || payload === '' ? undefined : 'it should be empty'
  const type = String(reply.getHeader('content-type'))
  if (typeof said === 'string')
    return said.split(', ').some((one) => type.startsWith(one.replace('*', ''))) ? undefined : `is ${type}`
  const parsed = said.safeParse(JSON.parse(textOf(payload, reply.getHeader('content-encoding'))))
  return parsed.success ? undefined : z.prettifyError(parsed.error)
}

const decompress = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }

function textOf(payload: unknown, encoding: unknown): string {
  if (!Buffer.isBuffer(payload)) return String(payload)
  const known = encoding === 'br' || encoding === 'gzip' || encoding === 'zstd'
  return String(known ? decompress[encoding](payload) : payload)
}
