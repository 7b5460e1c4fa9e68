import { titlePath } from '@befaqt/domain/title-path'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { viewerOf } from '#server/identity/principal.ts'
import { contentPage } from './content.ts'
import { siteView } from './site-view.ts'

/** Site data and static texts for pages, and what search engines ask for. */
export function siteRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/site', () => siteView(deps))
  app.get('/api/viewer', async (request, reply) => {
    reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
    return JSON.stringify(viewerOf(request.asker))
  })
  app.get<{ Params: { '*': string } }>('/api/content/*', async (request) =>
    contentPage(deps.content, request.params['*']),
  )
  app.get('/robots.txt', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(robots(deps.config.PUBLIC_URL)),
  )
  app.get('/sitemap.xml', async (_request, reply) =>
    reply.type('application/xml; charset=utf-8').send(await sitemap(deps)),
  )
}

const robots = (origin: string): string =>
  `User-agent: *\nDisallow: /manage/\nDisallow: /user/\nDisallow: /api/\nAllow: /api/file/\n\nSitemap: ${origin}/sitemap.xml\n`

const STATIC_PAGES = ['/', '/about/project', '/about/tech', '/about/us', '/category', '/product']

/** Every page that a search engine may list. Source: sitemaps.org protocol 0.9. */
async function sitemap(deps: Deps): Promise<string> {
  const { categories, products } = await deps.catalogue.snapshot()
  const paths = [
    ...STATIC_PAGES,
    ...categories.map((category) => `/category/${titlePath(category.title)}`),
    ...products.map((product) =>
      product.shelfPos.startsWith('0')
        ? `/SFMBox/byId/${product.box?.boxID ?? deps.siteFile.sampleBox}`
        : `/product/${product._id}`,
    ),
    `/SFMBox/byId/${deps.siteFile.sampleBox}`,
  ]
  const urls = [...new Set(paths)].map((path) => `<url><loc>${deps.config.PUBLIC_URL}${path}</loc></url>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`
}
