import type { ShopApi } from '@befaqt/domain/api/shop-api'
import type { ContentPage } from '@befaqt/domain/api/site-api'
import { accountApi } from '#server/accounts/account-api.ts'
import { boxApi } from '#server/boxes/box-api.ts'
import type { BoxPageDeps } from '#server/boxes/box-page.ts'
import { catalogueApi } from '#server/catalogue/catalogue.ts'
import { type Principal, viewerOf } from '#server/identity/principal.ts'
import type { AttentionDeps } from '#server/ops/attention.ts'
import { contentPage } from '#server/site/content.ts'
import { type SiteDeps, siteView } from '#server/site/site-view.ts'
import { manageApi } from './manage-api.ts'

export type ShopApiDeps = SiteDeps &
  BoxPageDeps &
  AttentionDeps & { content: ReadonlyMap<string, ContentPage> }

/** The `ShopApi` for server rendering, on behalf of `principal`: the same calls as in the browser, without HTTP. */
export const inProcessApi = (deps: ShopApiDeps, principal: Principal): ShopApi => ({
  site: () => siteView(deps),
  viewer: async () => viewerOf(principal),
  content: async (slug) => contentPage(deps.content, slug),
  ...accountApi(deps, principal),
  ...catalogueApi(deps.catalogue),
  ...boxApi(deps),
  ...manageApi(deps, principal),
})
