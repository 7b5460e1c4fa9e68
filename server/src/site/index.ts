// What other features use of the site, and all that they may import of it.

export { type ContentDeps, namesTimes } from './content-page.ts'
export type { Seller, Settings, SiteSettings } from './settings.ts'
export { type OrderRules, readSiteFile, type SiteDeps, type SiteFile } from './site.ts'
