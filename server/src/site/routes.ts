import { endpoint } from '@befaqt/domain/api/endpoint'
import { readFile } from '@befaqt/domain/api/endpoints/files'
import * as endpoints from '@befaqt/domain/api/endpoints/shop'
import { ContentPage, Site, Viewer } from '@befaqt/domain/api/site-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { boxPath, cardPath, titlePath } from '@befaqt/domain/page-paths'
import type { FastifyInstance } from 'fastify'
import { notFound } from '#server/http/errors.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { viewerOf } from '#server/identity/principal.ts'
import { type ContentDeps, contentPage } from './content-page.ts'
import { type SiteDeps, siteView } from './site.ts'

/** Asked for by who found a hole, and by no page of ours. */
const readSecurity = endpoint('GET', '/.well-known/security.txt')

export const siteOperations = defineRoutes(
  { ...endpoints, readSecurity },
  {
    readSite: {
      summary: 'Names, partners, market, and where the ledger can be read.',
      access: 'public',
      limits: 'read',
      responses: { 200: Site },
    },
    readViewer: {
      summary: 'Who is signed in: first name and role, or null.',
      access: 'public',
      cache: 'no-store',
      limits: 'read',
      responses: { 200: Viewer },
    },
    readContent: {
      summary: 'A static page: title, description, HTML.',
      access: 'public',
      limits: 'read',
      skipAuthentication: true,
      responses: { 200: ContentPage },
    },
    readRobots: {
      summary: 'Crawling rules for search engines.',
      access: 'public',
      limits: 'probe',
      skipAuthentication: true,
      responses: { 200: 'text/plain' },
    },
    readSitemap: {
      summary: 'Sitemap for search engines.',
      access: 'public',
      limits: 'probe',
      skipAuthentication: true,
      responses: { 200: 'application/xml' },
    },
    readSecurity: {
      summary: 'Whom to tell of a security hole (RFC 9116); 404 where the shop states no email address.',
      access: 'public',
      limits: 'probe',
      skipAuthentication: true,
      responses: { 200: 'text/plain' },
    },
  },
)

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const siteReads = {
  readSite: siteView,
  readViewer: (_deps, { principal }) => viewerOf(principal),
  readContent: (deps, { params }) => contentPage(deps, params['*']),
} satisfies Reads<typeof siteOperations, SiteDeps & ContentDeps>

/** Site data and static texts for pages, robots.txt and the sitemap. */
export function siteRoutes(app: FastifyInstance, deps: SiteDeps & ContentDeps): void {
  registerReads(app, siteOperations, siteReads, deps)
  registerRoute(app, siteOperations.readRobots, ({ reply }) =>
    reply.type('text/plain; charset=utf-8').send(robots(deps.config.PUBLIC_URL)),
  )
  registerRoute(app, siteOperations.readSitemap, async ({ reply }) =>
    reply.type('application/xml; charset=utf-8').send(await sitemap(deps)),
  )
  registerRoute(app, siteOperations.readSecurity, async ({ reply }) => {
    const { seller } = await deps.site.current()
    if (seller.email === undefined) throw notFound()
    return reply.type('text/plain; charset=utf-8').send(securityText(deps, seller.email))
  })
}

/** How long a reader may rely on it: RFC 9116 asks for less than a year. */
const SECURITY_DAYS = 180

/** Source: RFC 9116. The address is the one on the page of contacts; its characters are those of a mailto URI. */
function securityText({ config, now }: Pick<SiteDeps, 'config' | 'now'>, email: string): string {
  const at = email.lastIndexOf('@')
  const address = `${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`
  const expires = new Date(now().getTime() + SECURITY_DAYS * DAY_MS).toISOString().slice(0, 10)
  const fields = [
    `Contact: mailto:${address}`,
    `Expires: ${expires}T00:00:00Z`,
    'Preferred-Languages: en',
    `Canonical: ${config.PUBLIC_URL}${readSecurity.url}`,
  ]
  return `${fields.join('\n')}\n`
}

/** What search engines may read below what they may not: pictures, and pages that people look for by name. */
const ALLOWED = [
  readFile.url.replace('*', ''),
  ...['signin', 'signup', 'forgotpassword'].map((page) => `/user/${page}`),
]

const robots = (origin: string): string =>
  `User-agent: *\nDisallow: /manage/\nDisallow: /user/\nDisallow: /api/\n${ALLOWED.map((path) => `Allow: ${path}\n`).join('')}\nSitemap: ${origin}${endpoints.readSitemap.url}\n`

const STATIC_PAGES = ['/', '/about/project', '/about/tech', '/about/us', '/category', '/product', '/lab']

/** Every page that search engines may index. Source: sitemaps.org protocol 0.9. */
async function sitemap(deps: SiteDeps): Promise<string> {
  const { categories, products } = await deps.catalogue.snapshot()
  const { sampleBox } = await deps.site.current()
  const paths = [
    ...STATIC_PAGES,
    ...deps.siteFile.pages.map(({ path }) => path),
    ...categories.map((category) => `/category/${titlePath(category.title)}`),
    ...products.map(cardPath),
    ...(sampleBox === null ? [] : [boxPath(sampleBox)]),
  ]
  const urls = [...new Set(paths)].map((path) => `<url><loc>${deps.config.PUBLIC_URL}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}
