import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { checkAccess, type Rule } from '#server/identity/access.ts'
import type { Asker } from '#server/identity/principal.ts'
import { parse } from './errors.ts'
import type { LimitClass } from './limits/route-limits.ts'

/** A body that the handler reads itself: a form, a file, or JSON whose schema needs the clock. */
export type UnreadBody = { types: Readonly<Record<string, z.ZodType | null>> }

/** What is answered: JSON of a schema, another media type, or (null) nothing. */
type Answer = z.ZodType | string | null

/** All that is said of a route; access, limits, parsing, tests and the API's document read it here. */
export type Route = {
  /** The operation's name in the document. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  url: string
  summary: string
  access: Rule
  limits: LimitClass
  /** No session or key is looked up: it is answered while the database is busy or away. */
  sameForAll?: true
  query?: z.ZodType
  /** JSON that is parsed before the handler runs, or what the handler reads itself. */
  body?: z.ZodType | UnreadBody
  /** By status. One status below 300 is set by itself. */
  answers: Readonly<Record<number, Answer>>
  /** Statuses of refusals beside those that every route of its kind has (ops/openapi.ts). */
  refusals?: readonly number[]
  /** What refusals answer where it is not `Problem`. */
  problem?: z.ZodType
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What is said of this route. */
    route?: Route
  }
  interface FastifyInstance {
    /** Every route that was registered, once `keepRoutes` was called. */
    routes: Route[]
  }
}

type Named<Definitions> = { [Id in keyof Definitions]: Definitions[Id] & { id: Id & string } }

/** Definitions by the names of their operations. */
export const defineRoutes = <const Definitions extends Record<string, Omit<Route, 'id'>>>(
  definitions: Definitions,
): Named<Definitions> =>
  Object.fromEntries(
    Object.entries(definitions).map(([id, definition]) => [id, { ...definition, id }]),
  ) as Named<Definitions>

/** A body that its handler reads itself, by media type; null: it is no object. */
export const unread = (types: UnreadBody['types']): UnreadBody => ({ types })

type Params<Url extends string> = Url extends `${infer Part}/${infer Rest}`
  ? Params<Part> & Params<Rest>
  : Url extends `:${infer Name}`
    ? { [Key in Name]: string }
    : Url extends '*'
      ? { '*': string }
      : unknown

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type AnswerOf<Answers> = {
  [Status in keyof Answers]: Answers[Status] extends z.ZodType ? z.output<Answers[Status]> : never
}[keyof Answers]
/** Answers without a schema: the handler sends them itself, or there is nothing to send. */
type OtherAnswerOf<Answers> = null extends Answers[keyof Answers] ? undefined : never

/** One request, read as its route says. */
export type Call<Defined extends Route> = {
  params: Params<Defined['url']>
  query: OutputOf<Defined['query']>
  body: OutputOf<Defined['body']>
  asker: Asker
  request: FastifyRequest
  reply: FastifyReply
}

type Handled<Defined extends Route> =
  | AnswerOf<Defined['answers']>
  | OtherAnswerOf<Defined['answers']>
  | FastifyReply
type Handler<Defined extends Route> = (call: Call<Defined>) => Handled<Defined> | Promise<Handled<Defined>>

/** Refuses to start with a route that has no definition, and keeps the others. Call before any route. */
export function keepRoutes(app: FastifyInstance): void {
  const routes: Route[] = []
  app.decorate('routes', routes)
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.route === undefined) throw new Error(`No definition for ${method} ${url}`)
    if (!routes.includes(config.route)) routes.push(config.route)
  })
}

/**
 * Registers a route: whoever may not call it is refused, query and body are parsed, then `handle` answers, or
 * sends by itself what is no JSON or has headers of its own.
 */
export function serve<const Defined extends Route>(
  app: FastifyInstance,
  defined: Defined,
  handle: Handler<Defined>,
): void {
  const { method, url, access, query, body, answers } = defined
  const readsBody = body instanceof z.ZodType
  const [status = 200, another] = Object.keys(answers)
    .map(Number)
    .filter((status) => status < 300)
  app.route({
    method,
    url,
    config: { route: defined },
    onRequest: async (request) => checkAccess(access, request.asker),
    handler: async (request, reply) => {
      if (another === undefined) reply.code(status)
      return handle({
        params: request.params,
        query: query && parse(query, request.query),
        body: readsBody ? parse(body, request.body) : undefined,
        asker: request.asker,
        request,
        reply,
      } as Call<Defined>)
    },
  })
}
