import { endpoint, types } from '../endpoint.ts'
import type { ContentPage, Site, Viewer } from '../site-api.ts'

export const readSite = endpoint('GET', '/api/site', types<{ response: Site }>)
export const readViewer = endpoint('GET', '/api/viewer', types<{ response: Viewer }>)
export const readContent = endpoint('GET', '/api/content/*', types<{ response: ContentPage }>)
export const readRobots = endpoint('GET', '/robots.txt')
export const readSitemap = endpoint('GET', '/sitemap.xml')
