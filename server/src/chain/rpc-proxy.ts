import * as endpoints from '@befaqt/domain/api/endpoints/boxes'
import { ShopError } from '@befaqt/domain/errors'
import { schemaNames } from '@befaqt/domain/fields'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { z } from 'zod'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { ChainUnreachable, type JsonRpc } from './port.ts'
import { revertData } from './rpc-calls.ts'
import { boundLogs, isProxyMethod, type ProxyMethod, parseParams } from './rpc-proxy-methods.ts'

const MAX_BATCH = 50

/** Milliseconds after which a batch forwards no further call. */
const BATCH_MS = 15_000

/** Characters of all results of a batch: 10,000 blocks with an anchor each have 7 million. */
const MAX_RESULTS = 8_000_000

const Id = z.union([z.string().max(100), z.number(), z.null()])
type Id = z.infer<typeof Id>

/** Source: JSON-RPC 2.0 §5. */
const answered = { jsonrpc: z.literal('2.0'), id: Id }
const RpcError = z.strictObject({ code: z.int(), message: z.string(), data: z.string().exactOptional() })
type RpcError = z.infer<typeof RpcError>
const RpcErrorResponse = z
  .strictObject({ ...answered, error: RpcError })
  .register(schemaNames, { id: 'RpcErrorResponse' })
const Answer = z.union([z.strictObject({ ...answered, result: z.unknown() }), RpcErrorResponse])
type Answer = z.infer<typeof Answer>

/** Source: JSON-RPC 2.0 §5.1; 3 is what nodes answer for a reverted call. */
const code = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  server: -32000,
  limit: -32005,
  revert: 3,
}

const Request = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: Id,
  method: z.string(),
  params: z.unknown().optional(),
})

const open = { access: 'public', limits: 'rpc', skipAuthentication: true } as const

export const rpcProxyOperations = defineRoutes(endpoints, {
  mayReadChain: {
    ...open,
    summary: 'CORS preflight for other sites.',
    responses: { 204: null },
  },
  readChain: {
    ...open,
    summary: 'Read-only JSON-RPC of the ledger’s chain, from any origin.',
    body: rawBody({ 'application/json': z.union([Request, z.array(Request).min(1).max(MAX_BATCH)]) }),
    responses: { 200: z.union([Answer, z.array(Answer)]) },
    errorSchema: RpcErrorResponse,
  },
})

export type RpcProxyDeps = {
  rpc: JsonRpc
  /** Runs before each request: brings the embedded chain up to date. */
  sync?: () => Promise<void>
  /** Milliseconds after which a batch forwards no further call; each call has the chain's own timeout. */
  batchMs?: number
  /** Characters of the results of a batch, beyond which it gets no further one. */
  maxResults?: number
}

/**
 * `POST /api/chain/rpc`: read-only access to the chain for any site. Only the methods of running.md are forwarded, with
 * parameters rebuilt from the parsed values. Each invalid item of a batch gets its own error.
 */
export async function rpcProxy(app: FastifyInstance, deps: RpcProxyDeps): Promise<void> {
  const { rpc, batchMs = BATCH_MS, maxResults = MAX_RESULTS } = deps
  const routes: FastifyPluginAsync = async (proxy) => {
    proxy.addHook('onRequest', async (_request, reply) => void allowAnyOrigin(reply))
    proxy.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      allowAnyOrigin(reply) // the error may come before the hook above
      const { status, errorCode, message, retryAfterS } = errorResponse(error)
      if (status === 500) request.log.error({ err: error }, 'RPC proxy failed')
      if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS)
      return reply.code(status).send(failure(null, errorCode, message))
    })
    registerRoute(proxy, rpcProxyOperations.mayReadChain, ({ reply }) =>
      reply
        .headers({
          'access-control-allow-methods': 'POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': '86400',
        })
        .send(),
    )
    registerRoute(proxy, rpcProxyOperations.readChain, async ({ request }) => {
      await deps.sync?.()
      return answerAll(forBatch(rpc, batchMs), request.body, maxResults)
    })
  }
  await app.register(routes)
}

/** CORS for any origin, which may also read Retry-After. */
const allowAnyOrigin = (reply: FastifyReply): FastifyReply =>
  reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'retry-after',
    'cross-origin-resource-policy': 'cross-origin',
  })

type ErrorResponse = { status: number; errorCode: number; message: string; retryAfterS?: number }

/** The response to a failure outside the calls. */
function errorResponse(error: Error & { statusCode?: number; code?: string }): ErrorResponse {
  if (error instanceof ShopError) {
    const { status, message, details } = error
    return { status, errorCode: code.limit, message, retryAfterS: Number(details.retryAfterS ?? 1) }
  }
  if (error instanceof ChainUnreachable)
    return { status: 503, errorCode: code.server, message: error.message, retryAfterS: 5 }
  if (error.code === 'FST_ERR_HANDLER_TIMEOUT')
    return { status: 503, errorCode: code.server, message: 'timeout', retryAfterS: 5 }
  const status = error.statusCode ?? 500
  if (status >= 500) return { status, errorCode: code.server, message: 'something went wrong' }
  return { status, errorCode: code.parse, message: error.message }
}

async function answerAll(rpc: JsonRpc, body: unknown, maxResults: number): Promise<Answer | Answer[]> {
  const bounded = boundResults(maxResults)
  if (!Array.isArray(body)) return bounded(body, () => answer(rpc, body))
  if (body.length === 0) return failure(null, code.request, 'an empty batch')
  if (body.length > MAX_BATCH) return failure(null, code.limit, `more than ${MAX_BATCH} calls in a batch`)
  const answers: Answer[] = []
  for (const item of body) answers.push(await bounded(item, () => answer(rpc, item)))
  return answers
}

/**
 * Bounds what the results of one batch come to: a call whose result is too large gets an error instead, and those after
 * it are not forwarded.
 */
function boundResults(maxResults: number): (item: unknown, make: () => Promise<Answer>) => Promise<Answer> {
  let left = maxResults
  return async (item, make) => {
    const made = left < 0 ? undefined : await make()
    left -= made !== undefined && 'result' in made ? (JSON.stringify(made.result)?.length ?? 0) : 0
    if (made !== undefined && left >= 0) return made
    const id = Request.safeParse(item).data?.id ?? null
    return failure(id, code.limit, `results of more than ${maxResults} characters: ask for less at once`)
  }
}

async function answer(rpc: JsonRpc, item: unknown): Promise<Answer> {
  const parsed = Request.safeParse(item)
  if (!parsed.success) return failure(null, code.request, 'not a JSON-RPC 2.0 request with an id')
  const { id, method } = parsed.data
  if (!isProxyMethod(method))
    return failure(id, code.method, 'this proxy is read-only: the method is not available')
  const understood = parseParams(method, parsed.data.params)
  if ('wrong' in understood) return failure(id, code.params, understood.wrong)
  try {
    return await call(rpc, id, method, understood.params)
  } catch (error) {
    return { jsonrpc: '2.0', id, error: toRpcError(error) }
  }
}

async function call(rpc: JsonRpc, id: Id, method: ProxyMethod, params: readonly unknown[]): Promise<Answer> {
  const bounded = method === 'eth_getLogs' ? await boundLogs(rpc, params) : { params }
  if ('wrong' in bounded) return failure(id, code.params, bounded.wrong)
  if ('tooLong' in bounded) return failure(id, code.limit, bounded.tooLong)
  return { jsonrpc: '2.0', id, result: await rpc({ method, params: bounded.params }) }
}

/** `rpc` for one batch: rejects every call after `batchMs`. */
function forBatch(rpc: JsonRpc, batchMs: number): JsonRpc {
  const end = performance.now() + batchMs
  return async (request) => {
    if (performance.now() > end) throw new ChainUnreachable(new Error('batch timeout'))
    return rpc(request)
  }
}

const failure = (id: Id, errorCode: number, message: string): Answer => ({
  jsonrpc: '2.0',
  id,
  error: { code: errorCode, message },
})

/** The chain's error, without internal addresses that a transport error may contain. */
function toRpcError(error: unknown): RpcError {
  if (error instanceof ChainUnreachable) return { code: code.server, message: error.message }
  const data = revertData(error)
  if (data !== undefined) return { code: code.revert, message: 'execution reverted', data }
  return { code: code.server, message: 'the chain rejected this call' }
}
