import { confirmIdentity } from '@befaqt/domain/api/endpoints/account'
import { Problem } from '@befaqt/domain/api/problem'
import { schemaNames } from '@befaqt/domain/fields'
import { z } from 'zod'
import { SESSION_COOKIE } from '#server/accounts/index.ts'
import { SAFE_METHODS } from '#server/http/errors.ts'
import type { Route } from '#server/http/route.ts'
import type { AccessRule } from '#server/identity/principal.ts'
import { thisBuild } from './this-build.ts'

type Json = Record<string, unknown>

/** Errors that any route may respond with. */
const ALWAYS = [400, 429, 500, 503]
const OF_WRITES = [403, 409, 413, 415, 507]
const OF_THE_SIGNED_IN = [401, 403]

const said: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Made.',
  202: 'Taken.',
  204: 'Done; no content.',
  206: 'The requested range.',
  400: 'The request is invalid: `fields` says where.',
  401: 'Not signed in, or invalid credentials.',
  403: 'Not allowed for this caller, or from another site.',
  404: 'Not found.',
  409: 'Conflict: somebody else changed it, or it is in use.',
  413: 'Too large.',
  415: 'This media type is not accepted.',
  416: 'The range is beyond the end.',
  422: 'The Idempotency-Key belongs to another request.',
  429: 'Too many requests: Retry-After says how long to wait.',
  500: 'Something went wrong here.',
  503: 'Temporarily unavailable: Retry-After says how long to wait.',
  507: 'The disk is full; nothing was saved.',
}

/** Tags: the first part of an operation's path. */
const subjects: Readonly<Record<string, string>> = {
  anchor: 'Anchors of the ledger, for whoever follows the box map.',
  attention: 'What needs a manager’s attention.',
  backup: 'The whole shop in one file.',
  desk: 'What the staff’s desk shows over all parts of the shop.',
  restore: 'Restoring a backup into a shop that nobody has used yet.',
  box: 'Fish boxes and their histories.',
  build: 'What the shop has its visitors run, and its place in the log of builds.',
  category: 'Categories of products.',
  chain: 'The ledger: reading it, and the state of anchoring.',
  content: 'Static pages.',
  device: 'Devices that sign readings, and their keys.',
  docs: 'The API, for people.',
  delivery: 'Where orders are brought to, and what that costs.',
  excursion: 'Alerts about boxes that managers work through.',
  field: 'What suppliers’ phones record and show.',
  file: 'Images and data files.',
  geocode: 'Addresses of places.',
  health: 'Whether the shop and what it runs on work.',
  history: 'Who changed what.',
  key: 'Keys of machines.',
  labels: 'Labels of boxes, to print.',
  mail: 'Emails that could not be sent.',
  notice: 'Wishes to be told when something can be bought again.',
  'openapi.json': 'The API, for tools.',
  order: 'Orders, from cart to counter.',
  complaint: 'What buyers say is wrong with orders.',
  report: 'What was sold, added up.',
  customer: 'Who bought, when and how much.',
  coupon: 'Codes that take something off an order.',
  payment: 'Messages of the provider of payments.',
  product: 'Products.',
  site: 'The site itself.',
  slot: 'Times for pick-up and delivery.',
  trade: 'Documents of many boxes for the trade and for regulators.',
  tracker: 'Devices of other services, and the box that each travels with.',
  staff: 'Who works at the desk, and who is invited to.',
  station: 'E-eye and e-nose stations that send their results by a page.',
  supplier: 'Suppliers and their invitations.',
  tracking: 'Readings of devices.',
  user: 'Accounts, signing in and out.',
  viewer: 'Who is signed in.',
  webhook: 'Machines that are told what changed.',
}

/** Error statuses of a route. */
export const errorStatusesOf = ({ method, url, access, errors = [] }: Route): number[] => [
  ...new Set([
    ...ALWAYS,
    ...(SAFE_METHODS.has(method) ? [] : OF_WRITES),
    ...(access === 'public' ? [] : OF_THE_SIGNED_IN),
    ...(/[:*]/.test(url) ? [404] : []),
    ...errors,
  ]),
]

/** The documentation lists operations of the API, not pages or probes. */
export const isDocumented = ({ url, method }: Route): boolean =>
  url.startsWith('/api/') && method !== 'OPTIONS'

export const accessLabel = (rule: AccessRule): string =>
  rule === 'public'
    ? 'Anybody.'
    : rule === 'user'
      ? 'Anybody signed in.'
      : rule === 'supplier'
        ? 'SUPPLIER, about their own boxes.'
        : rule === 'admin'
          ? 'ADMIN.'
          : rule === 'staff'
            ? 'ADMIN, and staff with any right.'
            : `ADMIN, and staff with ${rule.right}${rule.people ? '' : `, or a key with it${rule.allBoxes ? ' for all boxes' : ''}`}.`

const CONFIRMED = ` A session must have been confirmed within ten minutes (${confirmIdentity.method} ${confirmIdentity.url}), else 403 auth.confirm; a key is not asked.`

/** The API in OpenAPI 3.1, generated from the route definitions. */
export function openApiDocument(routes: readonly Route[]): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const route of routes.filter(isDocumented)) {
    const path = pathOf(route.url)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'BeFAQT',
      version: thisBuild.version,
      description: 'Seafood shop and provenance of fish boxes.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.filter(isDocumented).map(tagOf))]
      .sort()
      .map((name) => ({ name, description: subjects[name] })),
    paths,
    components: { schemas, securitySchemes },
  }
}

const securitySchemes = {
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      'The session of a browser; over https the name has the prefix __Host-. Requests that change something must come from a page of the shop.',
  },
  sessionToken: { type: 'http', scheme: 'bearer', description: 'The token that signing in returns.' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key with rights of its own.' },
}

const securityOf = (rule: AccessRule): Json[] =>
  rule === 'public'
    ? []
    : [
        { sessionCookie: [] },
        { sessionToken: [] },
        ...(typeof rule === 'object' ? [{ apiKey: [rule.right] }] : []),
      ]

const pathOf = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')

/** `/api/box/…` and `/api/manage/box/…` are about boxes. */
const tagOf = ({ url }: Route): string => /^\/api\/(?:manage\/)?([\w.-]+)/.exec(url)?.[1] ?? ''

function operation(route: Route, schemas: Json): Json {
  const { id, url, summary, access, confirmed, query, body, responses, errorSchema = Problem } = route
  const inPath = [...pathOf(url).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const refusal = { 'application/json': { schema: answerSchema(errorSchema, schemas) } }
  const refused = errorStatusesOf(route).map((status) => [
    status,
    { description: said[status], content: refusal },
  ])
  const answered = Object.entries(responses).map(([status, answer]) => [
    status,
    { description: said[Number(status)], ...contentOf(answer, schemas) },
  ])
  return {
    operationId: id,
    summary,
    description: accessLabel(access) + (confirmed ? CONFIRMED : ''),
    tags: [tagOf(route)],
    security: securityOf(access),
    parameters: [...inPath, ...(query ? queryParameters(query) : [])],
    ...(body && { requestBody: requestBody(body) }),
    responses: Object.fromEntries([...refused, ...answered]),
  }
}

function contentOf(answer: Route['responses'][number] | undefined, schemas: Json): Json {
  if (answer === null || answer === undefined) return {}
  if (answer instanceof z.ZodType)
    return { content: { 'application/json': { schema: answerSchema(answer, schemas) } } }
  return { content: Object.fromEntries(answer.split(', ').map((type) => [type, {}])) }
}

/** Options of the conversion: integers without JavaScript's safe bounds. */
const written = {
  unrepresentable: 'any',
  override: ({ jsonSchema }: { jsonSchema: Json }) => {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
} as const

/** The JSON Schema of a response; the named schemas in it are added to `schemas`. */
function answerSchema(schema: z.ZodType, schemas: Json): Json {
  const wrapped = z.strictObject({ answer: schema })
  const made = z.toJSONSchema(wrapped, { ...written, metadata: schemaNames })
  const { $defs = {}, properties } = JSON.parse(
    JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'),
  )
  for (const [name, { id, ...described }] of Object.entries<Json>($defs)) schemas[name] = described
  return properties.answer
}

const inputSchema = (schema: z.ZodType): Json => {
  const { $schema, ...made } = z.toJSONSchema(schema, {
    ...written,
    io: 'input',
    metadata: z.registry<{ description?: string }>(),
  })
  return made
}

function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { ...written, io: 'input' })
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = typeof schema === 'object' ? schema : {}
    return {
      name,
      in: 'query',
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function requestBody(body: NonNullable<Route['body']>): Json {
  const types = body instanceof z.ZodType ? { 'application/json': body } : body.types
  const content = Object.entries(types).map(([type, schema]) => [
    type,
    schema === null ? {} : { schema: inputSchema(schema) },
  ])
  const required = !(body instanceof z.ZodType && body.safeParse(undefined).success)
  return { required, content: Object.fromEntries(content) }
}
