import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type AccessRule, authorize } from '#server/identity/access.ts'
import type { Principal } from '#server/identity/principal.ts'
import { parse } from './errors.ts'
import type { LimitClass } from './limits/route-limits.ts'

/** A body that the handler parses itself: a form, a file, or JSON whose schema needs the clock. */
export type RawBody = { types: Readonly<Record<string, z.ZodType | null>> }

/** A response body: JSON with a schema, another media type, or (null) none. */
type ResponseSchema = z.ZodType | string | null

/** The one definition of a route, for authorization, limits, validation, tests and the OpenAPI document. */
export type Route = {
  /** The operation id in the OpenAPI document. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  url: string
  summary: string
  access: AccessRule
  limits: LimitClass
  /** No session or key is looked up, so that it is served while the database is busy or unreachable. */
  skipAuthentication?: true
  query?: z.ZodType
  /** JSON that is parsed before the handler runs, or a body that the handler parses itself. */
  body?: z.ZodType | RawBody
  /** By status. A single status below 300 is set by default. */
  responses: Readonly<Record<number, ResponseSchema>>
  /** Error statuses in addition to those that every route of its kind has (ops/openapi.ts). */
  errors?: readonly number[]
  /** The schema of error responses where it is not `Problem`. */
  errorSchema?: z.ZodType
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The definition of this route. */
    route?: Route
  }
  interface FastifyInstance {
    /** Every route registered after `collectRoutes`. */
    routes: Route[]
  }
}

type Named<Definitions> = { [Id in keyof Definitions]: Definitions[Id] & { id: Id & string } }

/** Route definitions by operation id. */
export const defineRoutes = <const Definitions extends Record<string, Omit<Route, 'id'>>>(
  definitions: Definitions,
): Named<Definitions> =>
  Object.fromEntries(
    Object.entries(definitions).map(([id, definition]) => [id, { ...definition, id }]),
  ) as Named<Definitions>

/** A body that its handler parses itself, by media type; null: not an object. */
export const rawBody = (types: RawBody['types']): RawBody => ({ types })

type Params<Url extends string> = Url extends `${infer Part}/${infer Rest}`
  ? Params<Part> & Params<Rest>
  : Url extends `:${infer Name}`
    ? { [Key in Name]: string }
    : Url extends '*'
      ? { '*': string }
      : unknown

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type ResponseOf<Answers> = {
  [Status in keyof Answers]: Answers[Status] extends z.ZodType ? z.output<Answers[Status]> : never
}[keyof Answers]
/** Responses without a schema: the handler sends them itself, or there is no body. */
type NoContentOf<Answers> = null extends Answers[keyof Answers] ? undefined : never

/** One request, parsed as its route defines. */
export type RouteContext<Definition extends Route> = {
  params: Params<Definition['url']>
  query: OutputOf<Definition['query']>
  body: OutputOf<Definition['body']>
  principal: Principal
  request: FastifyRequest
  reply: FastifyReply
}

type HandlerResult<Defined extends Route> =
  | ResponseOf<Defined['responses']>
  | NoContentOf<Defined['responses']>
  | FastifyReply
type Handler<Defined extends Route> = (
  call: RouteContext<Defined>,
) => HandlerResult<Defined> | Promise<HandlerResult<Defined>>

/** Collects the definitions of all routes; a route without one stops the start. Call before registering any. */
export function collectRoutes(app: FastifyInstance): void {
  const routes: Route[] = []
  app.decorate('routes', routes)
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.route === undefined) throw new Error(`No definition for ${method} ${url}`)
    if (!routes.includes(config.route)) routes.push(config.route)
  })
}

/**
 * Registers a route: the principal is authorized, query and body are parsed, then `handle` returns the response, or
 * sends it itself when it is not JSON or needs headers of its own.
 */
export function registerRoute<const Defined extends Route>(
  app: FastifyInstance,
  definition: Defined,
  handle: Handler<Defined>,
): void {
  const { method, url, access, query, body, responses } = definition
  const readsBody = body instanceof z.ZodType
  const [status = 200, another] = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300)
  app.route({
    method,
    url,
    config: { route: definition },
    onRequest: async (request) => authorize(access, request.principal),
    handler: async (request, reply) => {
      if (another === undefined) reply.code(status)
      return handle({
        params: request.params,
        query: query && parse(query, request.query),
        body: readsBody ? parse(body, request.body) : undefined,
        principal: request.principal,
        request,
        reply,
      } as RouteContext<Defined>)
    },
  })
}
