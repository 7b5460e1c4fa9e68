import type {
  AnswerOf,
  Endpoint,
  Method,
  ParamsOf,
  TypesOf,
  WholeAnswerOf,
} from '@befaqt/domain/api/endpoint'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type AccessRule, assertConfirmed, authorize, type Principal } from '#server/identity/principal.ts'
import { notFound, parse } from './errors.ts'
import type { LimitClass } from './limits/route-limits.ts'

/** A body that the handler parses itself: a form, a file, or JSON whose schema needs the clock. */
export type RawBody = { types: Readonly<Record<string, z.ZodType | null>> }

/** A response body: JSON with a schema, another media type, or (null) none. */
type ResponseSchema = z.ZodType | string | null

/** The one definition of a route, for authorization, limits, validation, tests and the OpenAPI document. */
export type Route = {
  /** The operation id in the OpenAPI document. */
  id: string
  method: Method
  url: string
  summary: string
  access: AccessRule
  limits: LimitClass
  /** No session or key is looked up, so that it is served while the database is busy or unreachable. */
  skipAuthentication?: true
  query?: z.ZodType
  /** JSON that is parsed before the handler runs, or a body that the handler parses itself. */
  body?: z.ZodType | RawBody
  /** Password or passkey must have been asked for within the last minutes; a key is not asked. */
  confirmed?: true
  /** A header that may carry the key, for callers that can send it in no other. */
  keyHeader?: string
  /** Public and of use to programs anywhere: pages of any origin may read it, without credentials. */
  anyOrigin?: true
  /** By status. A single status below 300 is set by default. */
  responses: Readonly<Record<number, ResponseSchema>>
  /** Error statuses in addition to those that every route of its kind has (ops/openapi.ts). */
  errors?: readonly number[]
  /** The schema of error responses where it is not `Problem`. */
  errorSchema?: z.ZodType
  /** What browsers may do with the answer of a public route; answers of all others are never kept. */
  cache?: 'no-cache' | 'no-store'
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The definition of this route. */
    route?: Route
  }
  interface FastifyRequest {
    /** What its route was registered with; made once, where Fastify makes its `routeOptions` anew whenever they are read. */
    matched: FastifyContextConfig & { url?: string }
  }
  interface FastifyInstance {
    /** Every route registered after `collectRoutes`. */
    routes: Route[]
  }
}

/** What `defineRoutes` adds to an endpoint. */
type Definition = Omit<Route, 'id' | keyof Endpoint>
/** A file of endpoints may be for several groups of routes: each defines its own. */
type Definitions<Endpoints> = { [Id in keyof Endpoints]?: Definition }
type Endpoints = Readonly<Record<string, Endpoint>>

/** What pages send has to be what the schema takes. */
type SentFits<Sent, Schema> = Schema extends z.ZodType ? (Sent extends z.input<Schema> ? true : false) : true

/** What the schemas answer has to be what pages read, if they read anything. */
type AnswerFits<Answered, E extends Endpoint> =
  TypesOf<E> extends { rows: unknown } | { response: unknown }
    ? [Answered] extends [AnswerOf<E> | WholeAnswerOf<E>]
      ? true
      : false
    : true

type Sent<E, Part extends string> = TypesOf<E> extends { [Key in Part]: infer Value } ? Value : never

type Misfit<Defined, E extends Endpoint> = Defined extends Definition
  ?
      | (AnswerFits<ResponseOf<Defined['responses']>, E> extends true ? never : 'responses')
      | (SentFits<Sent<E, 'body'>, Defined['body']> extends true ? never : 'body')
      | (SentFits<Sent<E, 'query'>, Defined['query']> extends true ? never : 'query')
  : never

/** Refuses, where pages send or read something else than the schemas say, the part that does not fit. */
type Checked<All extends Endpoints, Defined> = {
  [Id in keyof Defined]: Id extends keyof All ? { [Part in Misfit<Defined[Id], All[Id]>]: never } : never
}

/** Whether `defineRoutes` takes these definitions for these endpoints. */
export type Accepts<All extends Endpoints, Defined> = Defined extends Definitions<All> & Checked<All, Defined>
  ? true
  : false

type Named<All extends Endpoints, Defined> = {
  [Id in keyof All & keyof Defined]: Pick<All[Id], keyof Endpoint> & Defined[Id] & { id: Id & string }
}

/**
 * Route definitions by operation id, with method and URL of their endpoints. A definition without an endpoint and schemas
 * that do not fit what pages send and read do not compile; an endpoint without a route is found by `openapi.test.ts`.
 */
export const defineRoutes = <All extends Endpoints, const Defined extends Definitions<All>>(
  endpoints: All,
  definitions: Defined & Checked<All, Defined>,
): Named<All, Defined> =>
  Object.fromEntries(
    Object.entries(endpoints)
      .filter(([id]) => id in definitions)
      .map(([id, { method, url }]) => [id, { ...definitions[id], method, url, id }]),
  ) as Named<All, Defined>

/** A body that its handler parses itself, by media type; null: not an object. */
export const rawBody = (types: RawBody['types']): RawBody => ({ types })

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type ResponseOf<Answers> = {
  [Status in keyof Answers]: Answers[Status] extends z.ZodType ? z.output<Answers[Status]> : never
}[keyof Answers]
/** Responses without a schema: the handler sends them itself, or there is no body. */
type NoContentOf<Answers> = null extends Answers[keyof Answers] ? undefined : never

/** One request, parsed as its route defines. */
type RouteContext<Definition extends Route> = {
  params: ParamsOf<Definition['url']>
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

/** A call that reads, by HTTP or for a page that is rendered here. */
type Asked<Defined extends Route> = Pick<RouteContext<Defined>, 'params' | 'query' | 'principal'> & {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal | undefined
}

/** Lists that are in memory are answered as they are. */
type AsRead<Answer> = Answer extends readonly (infer Row)[] ? readonly Row[] : Answer

/** The one handler of an operation that reads: the same answer over HTTP and to a page that is rendered here. */
export type Read<Defined extends Route, Deps> = (
  deps: Deps,
  asked: Asked<Defined>,
) => AsRead<ResponseOf<Defined['responses']>> | Promise<AsRead<ResponseOf<Defined['responses']>>>

/** Such handlers, by operation id. */
export type Reads<Operations extends Readonly<Record<string, Route>>, Deps> = {
  readonly [Id in keyof Operations]?: Read<Operations[Id], Deps>
}

/** Collects the definitions of all routes; a route without one stops the start. Call before registering any. */
export function collectRoutes(app: FastifyInstance): void {
  const routes: Route[] = []
  app.decorate('routes', routes)
  noteMatched(app)
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.route === undefined) throw new Error(`No definition for ${method} ${url}`)
    if (!routes.includes(config.route)) routes.push(config.route)
  })
}

/** Sets `matched` of each request. Call before any hook that reads it. */
export function noteMatched(app: FastifyInstance): void {
  app.decorateRequest('matched')
  app.addHook('onRequest', (request, _reply, done) => {
    request.matched = request.routeOptions.config
    done()
  })
}

/** Nothing has NUL in its name, and the database would not even look for it. */
const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0')

/**
 * Registers a route: the principal is authorized, query and body are parsed, then `handle` returns the response, or
 * sends it itself when it is not JSON or needs headers of its own. Responses that are not public are never cached.
 */
export function registerRoute<const Defined extends Route>(
  app: FastifyInstance,
  definition: Defined,
  handle: Handler<Defined>,
): void {
  const { method, url, access, query, body, responses } = definition
  const cache = access === 'public' ? definition.cache : 'no-store'
  const readsBody = body instanceof z.ZodType
  const [status = 200, another] = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 300)
  app.route({
    method,
    url,
    config: { route: definition },
    onRequest: (request, _reply, done) => {
      authorize(access, request.principal)
      if (definition.confirmed) assertConfirmed(request.principal)
      done()
    },
    handler: async (request, reply) => {
      if (Object.values(request.params ?? {}).some(hasNul)) throw notFound()
      if (readsBody && /^multipart\//i.test(request.headers['content-type'] ?? ''))
        throw new ShopError('input.media_type', 'This takes JSON, not a form.')
      if (another === undefined) reply.code(status)
      if (cache !== undefined) reply.header('cache-control', cache)
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

/** Sends an answer that is JSON; Fastify would send nothing for null. */
const sendAnswer = (_request: FastifyRequest, reply: FastifyReply, answer: unknown): unknown =>
  answer === null ? reply.type('application/json; charset=utf-8').send('null') : answer

/**
 * Registers operations that read.
 * @param send how an answer is sent where that is not as JSON of its schema
 */
export function registerReads<Operations extends Readonly<Record<string, Route>>, Deps>(
  app: FastifyInstance,
  operations: Operations,
  reads: Reads<Operations, Deps>,
  deps: Deps,
  send = sendAnswer,
): void {
  const all: [id: string, read: Read<Route, Deps>][] = Object.entries(reads)
  for (const [id, read] of all) {
    const definition = operations[id]
    if (definition === undefined) throw new Error(`No definition for ${id}`)
    registerRoute<Route>(app, definition, async ({ params, query, principal, request, reply }) => {
      const asked = {
        params,
        query,
        principal,
        get signal() {
          return disconnected(reply)
        },
      }
      return send(request, reply, await read(deps, asked)) as FastifyReply
    })
  }
}

/** Aborts when the client disconnects before it has the whole response. */
export function disconnected({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
