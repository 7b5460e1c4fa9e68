import type { FastifyRequest } from 'fastify'

/**
 * Routes whose answer is the same whoever asks: no session or key is looked up for them, so that they are answered
 * while the database is busy or away.
 */
const SAME_FOR_ALL = new Set([
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /robots.txt',
  'GET /sitemap.xml',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/content/*',
  'GET /api/geocode',
  'GET /api/file/*',
  'GET /api/product/active',
  'GET /api/product/byCategory/:id',
  'GET /api/product/:id',
  'GET /api/category/active',
  'GET /api/category/byTitle/:catTitle',
  'POST /api/chain/rpc',
  'OPTIONS /api/chain/rpc',
])

/**
 * Is what this request asks for the same for everybody?
 * @param isFile says whether a path is a built or public file
 */
export function isSameForAll(request: FastifyRequest, isFile: (path: string) => boolean): boolean {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const key = `${method} ${request.routeOptions.url}`
  return key === 'GET /*' ? isFile(request.url.split('?', 1)[0] ?? '') : SAME_FOR_ALL.has(key)
}
