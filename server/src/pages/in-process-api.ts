import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { accountApi } from '#server/accounts/account-api.ts'
import { boxApi } from '#server/boxes/box-api.ts'
import { catalogueApi } from '#server/catalogue/catalogue.ts'
import type { Deps } from '#server/deps.ts'
import { type Principal, viewerOf } from '#server/identity/principal.ts'
import { contentPage } from '#server/site/content.ts'
import { siteView } from '#server/site/site-view.ts'
import { manageApi } from './manage-api.ts'

/** The shop for a page that is rendered here for `principal`: the same calls as the browser's, without HTTP between. */
export const inProcessApi = (deps: Deps, principal: Principal): ShopApi => ({
  site: () => siteView(deps),
  viewer: async () => viewerOf(principal),
  content: async (slug) => contentPage(deps.content, slug),
  ...accountApi(deps, principal),
  ...catalogueApi(deps.catalogue),
  ...boxApi(deps),
  ...manageApi(deps, principal),
})
