import type { AccountApi } from './account-api.ts'
import type { BoxApi } from './box-api.ts'
import type { CatalogueApi } from './catalogue-api.ts'
import type { ManageApi } from './manage-api.ts'
import type { SiteApi } from './site-api.ts'

/**
 * The interface between pages and server: the browser's implementation fetches /api/…, the server's calls the actions
 * in process, so that each loader is written once.
 */
export interface ShopApi extends SiteApi, CatalogueApi, BoxApi, AccountApi, ManageApi {}
