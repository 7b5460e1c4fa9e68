import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SentForm } from '@befaqt/domain/api/sent-form'
import type { ShopApi } from '@befaqt/domain/api/shop-api'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** A file beside the builds with the name of the newest one, written by tools/build-folders.ts. */
const NEWEST = 'newest'

/**
 * The folder of one build of the pages: the newest in `webDist`, or `webDist` itself when it is a build. Call it once at
 * the start: a build never changes, newer ones are made beside it.
 */
export function builtPages(webDist: string): string {
  const note = join(webDist, NEWEST)
  return existsSync(note) ? join(webDist, readFileSync(note, 'utf8').trim()) : webDist
}

/** The result of web/src/entry-server.tsx. */
type Rendered = {
  status: number
  html: Buffer
  headers: Record<string, string>
  redirect?: string
  error?: unknown
}
export type Renderer = (
  request: { url: string; method: string; headers: Record<string, string>; sent?: SentForm },
  api: ShopApi,
) => Promise<Rendered>

/** Loads the page renderer that Vite built. @throws Error for the operator when the pages are not built */
export async function loadRenderer(webDist: string): Promise<Renderer> {
  const file = resolve(join(webDist, 'server', 'entry-server.js'))
  if (!existsSync(file)) throw new Error(`The pages are not built: ${file} is missing. Run npm run build.`)
  const built: { render: Renderer } = await import(pathToFileURL(file).href)
  return built.render
}

/** The built and public files. */
export type StaticFiles = {
  has(path: string): boolean
  /** Sends `path` if it is one of them; returns whether it is. */
  send(path: string, reply: FastifyReply): boolean
}

const COMPRESSED = /\.(br|gz)$/
/** Requested by browsers and feed readers without a link to it. They accept the type that we send. */
const FAVICON = { path: '/favicon.ico', sentAs: '/icon-192.png' }
/** The checker, one file that brings the policy for its own script and styles. */
const CHECKER = '/check.html'
/** The checker with its hash, and the page of the phones with its service worker: revalidated each time. */
const REVALIDATED = new Set([CHECKER, `${CHECKER}.sha256.txt`, '/field.html', '/field-sw.js'])
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * Built scripts, styles and fonts under their hash, and the public folder (icons, video, brand). The names are read
 * once, so that only URLs of existing files reach the disk.
 */
export async function staticFiles(app: FastifyInstance, webDist: string): Promise<StaticFiles> {
  const root = resolve(join(webDist, 'client'))
  await app.register(fastifyStatic, { root, serve: false, preCompressed: true, cacheControl: false })
  const names = new Set(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && !COMPRESSED.test(entry.name) && !entry.parentPath.includes('.vite'),
      )
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
  )
  const checkerPolicy = names.has(CHECKER) ? policyIn(readFileSync(join(root, CHECKER), 'utf8')) : ''
  const nameOf = (path: string): string => (path === FAVICON.path ? FAVICON.sentAs : path)
  return {
    has: (path) => names.has(nameOf(path)),
    send: (requested, reply) => {
      const path = nameOf(requested)
      if (!names.has(path)) return false
      const hour = REVALIDATED.has(path) ? 'no-cache' : 'public, max-age=3600'
      reply.header('cache-control', path.startsWith('/assets/') ? IMMUTABLE : hour)
      if (path === CHECKER) reply.header('content-security-policy', checkerPolicy)
      reply.sendFile(path.slice(1))
      return true
    },
  }
}

/** The policy that a page has in its head, which lists its script and styles, and that nobody may frame it. */
function policyIn(page: string): string {
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []
  if (policy === undefined) throw new Error('The checker was built without its policy. Run npm run build.')
  return `${policy}; frame-ancestors 'none'`
}
