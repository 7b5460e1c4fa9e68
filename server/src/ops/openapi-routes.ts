import * as endpoints from '@befaqt/domain/api/endpoints/shop'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type CachedResponse, cachedResponse, sendCached } from '#server/http/caching/cached-response.ts'
import { escapeHtml } from '#server/http/escape-html.ts'
import { defineRoutes, type Route, registerRoute } from '#server/http/route.ts'
import { accessLabel, isDocumented, openApiDocument } from './openapi.ts'

const read = { access: 'public', limits: 'read', skipAuthentication: true } as const

export const openApiOperations = defineRoutes(endpoints, {
  readOpenApi: {
    ...read,
    summary: 'This document.',
    responses: { 200: z.looseObject({ openapi: z.string() }) },
  },
  readDocs: {
    ...read,
    summary: 'The API documentation for people.',
    responses: { 200: 'text/html' },
  },
})

/** The document changes only with the version: a client may cache it but must revalidate it each time. */
const REVALIDATE = 'no-cache'

/** `GET /api/openapi.json`: every operation of the API; `/api/docs`: the same for people. Generated on first request. */
export function openApiRoutes(app: FastifyInstance): void {
  let document: Promise<CachedResponse> | undefined
  let docs: Promise<CachedResponse> | undefined
  registerRoute(app, openApiOperations.readOpenApi, async ({ request, reply }) => {
    document ??= cachedResponse(
      JSON.stringify(openApiDocument(app.routes)),
      'application/json; charset=utf-8',
    )
    reply.header('access-control-allow-origin', '*')
    return sendCached(request, reply, await document, REVALIDATE)
  })
  registerRoute(app, openApiOperations.readDocs, async ({ request, reply }) => {
    docs ??= cachedResponse(docsPage(app.routes.filter(isDocumented)), 'text/html; charset=utf-8')
    return sendCached(request, reply, await docs, REVALIDATE)
  })
}

function docsPage(routes: readonly Route[]): string {
  const rows = routes.map(({ method, url, summary, access, query }) => {
    const names = query instanceof z.ZodObject ? Object.keys(query.shape) : []
    const asked = names.length > 0 ? ` <small>?${names.join('&amp;')}</small>` : ''
    return `<tr><td><code>${method}</code></td><td><code>${escapeHtml(url)}</code>${asked}</td><td>${escapeHtml(summary)}</td><td>${accessLabel(access)}</td></tr>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>BeFAQT API</title><link rel="stylesheet" href="/docs.css"></head><body><main><h1>BeFAQT API</h1><p>The same as a document for tools: <a href="${endpoints.readOpenApi.url}">openapi.json</a>. Keys and session tokens go into <code>Authorization: Bearer …</code>. Errors have the body <code>{"error": {code, message, fields}}</code>.</p><table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Use</th><th scope="col">Who</th></tr></thead><tbody>${rows.join('')}</tbody></table></main></body></html>`
}
