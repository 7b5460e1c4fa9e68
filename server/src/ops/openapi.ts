import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { accessTable, type Rule } from '#server/identity/access-table.ts'
import { type CallText, calls } from './openapi-calls.ts'

type Json = Record<string, unknown>

/** `GET /api/openapi.json`: every call of the API with who may make it and what it takes; `/api/docs` is for reading. */
export function openApiRoutes(app: FastifyInstance): void {
  const document = openApiDocument()
  const page = docsPage()
  app.get('/api/openapi.json', async (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send(document),
  )
  app.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
}

/** API calls of the access table: they are what is documented. */
export const apiRoutes = (): [method: string, path: string, rule: Rule][] =>
  Object.entries(accessTable).flatMap(([route, rule]) => {
    const [method = '', path = ''] = route.split(' ')
    return path.startsWith('/api/') && method !== 'OPTIONS' ? [[method, path, rule]] : []
  })

const textOf = (method: string, path: string): CallText => calls[`${method} ${path}`] ?? { summary: '' }

/** The API in OpenAPI 3.1. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {}
  for (const [method, path, rule] of apiRoutes()) {
    const named = path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')
    paths[named] = { ...paths[named], [method.toLowerCase()]: operation(named, rule, textOf(method, path)) }
  }
  const version: string = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ).version
  return {
    openapi: '3.1.0',
    info: {
      title: 'BeFAQT',
      version,
      description:
        'Seafood shop and provenance of fish boxes. Refusals answer {"error": {code, message, fields}}.',
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A session token or a key.' },
      },
    },
    paths,
  }
}

function operation(path: string, rule: Rule, { summary, body, query }: CallText): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(query ?? {}).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }))
  return {
    summary,
    description: whoMay(rule),
    parameters: [...inPath, ...inQuery],
    ...(rule === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(body && {
      requestBody: { content: { [body.type ?? 'application/json']: { schema: schemaOf(body.schema) } } },
    }),
    responses: { default: { description: 'The answer, or an error with its code, message and fields.' } },
  }
}

const schemaOf = (schema: z.ZodType | undefined): unknown =>
  schema === undefined ? {} : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

const whoMay = (rule: Rule): string =>
  rule === 'public'
    ? 'Anybody.'
    : rule === 'user'
      ? 'Anybody signed in.'
      : rule === 'admin'
        ? 'ADMIN.'
        : `ADMIN, or a key with ${rule.right}.`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function docsPage(): string {
  const rows = apiRoutes().map(([method, path, rule]) => {
    const { summary, query } = textOf(method, path)
    const asked = query ? ` <small>?${Object.keys(query).join('&amp;')}</small>` : ''
    return `<tr><td><code>${method}</code></td><td><code>${escaped(path)}</code>${asked}</td><td>${escaped(summary)}</td><td>${whoMay(rule)}</td></tr>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>BeFAQT API</title><link rel="stylesheet" href="/docs.css"></head><body><main><h1>BeFAQT API</h1><p>The same as a document for tools: <a href="/api/openapi.json">openapi.json</a>. Keys and session tokens go into <code>Authorization: Bearer …</code>. A refused call answers <code>{"error": {code, message, fields}}</code>.</p><table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Use</th><th scope="col">Who</th></tr></thead><tbody>${rows.join('')}</tbody></table></main></body></html>`
}
