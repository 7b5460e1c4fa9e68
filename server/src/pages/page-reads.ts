import type { Endpoint } from '@befaqt/domain/api/endpoint'
import type { PageReads, ShopApi } from '@befaqt/domain/api/shop-api'
import { keyOperations, keyReads } from '#server/accounts/api-keys.ts'
import { emailChangeOperations, emailChangeReads } from '#server/accounts/change-email.ts'
import { passkeyOperations, passkeyReads } from '#server/accounts/credentials/passkeys.ts'
import { userOperations, userReads } from '#server/accounts/manage-users.ts'
import { profileOperations, profileReads } from '#server/accounts/profile.ts'
import { sessionOperations, sessionReads } from '#server/accounts/sign-in/session-routes.ts'
import { staffOperations, staffReads } from '#server/accounts/staff/routes.ts'
import { ledgerOperations, ledgerReads } from '#server/anchoring/ledger-health.ts'
import { backupOperations, backupReads } from '#server/backup/kept/routes.ts'
import { boxTradeOperations, boxTradeReads } from '#server/boxes/epcis/routes.ts'
import type { BoxPageDeps } from '#server/boxes/index.ts'
import { boxManageOperations, boxManageReads } from '#server/boxes/managing/routes.ts'
import { boxOperations, boxReads } from '#server/boxes/routes.ts'
import { categoryOperations, categoryReads } from '#server/catalogue/categories/routes.ts'
import { productOperations, productReads } from '#server/catalogue/products/routes.ts'
import { catalogueOperations, catalogueReads } from '#server/catalogue/routes.ts'
import type { Config } from '#server/config/config.ts'
import { deskOperations, deskReads } from '#server/desk/routes.ts'
import { viewOperations, viewReads } from '#server/desk/views.ts'
import { deviceOperations, deviceReads } from '#server/devices/routes.ts'
import { trackerOperations, trackerReads } from '#server/devices/trackers/routes.ts'
import { excursionOperations, excursionReads } from '#server/excursions/routes.ts'
import { supplierOperations, supplierReads } from '#server/field/supplier-routes.ts'
import { parse } from '#server/http/errors.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import type { Read, Route } from '#server/http/route.ts'
import type { Principal } from '#server/identity/principal.ts'
import { authorize } from '#server/identity/principal.ts'
import { mailOperations, mailReads } from '#server/mail/routes.ts'
import { type AttentionDeps, attentionOperations, attentionReads } from '#server/ops/attention.ts'
import type { ReadinessDeps } from '#server/ops/readiness-checks.ts'
import { healthOperations, healthReads } from '#server/ops/shop-health.ts'
import { complaintOperations, complaintReads } from '#server/orders/complaints/routes.ts'
import { couponOperations, couponReads } from '#server/orders/coupons/routes.ts'
import type { NextSlots, OrderReadDeps } from '#server/orders/index.ts'
import { managedOrderOperations, managedOrderReads } from '#server/orders/managing/routes.ts'
import { orderOperations, orderReads } from '#server/orders/routes.ts'
import { slotRuleOperations, slotRuleReads } from '#server/orders/slot-rules/routes.ts'
import { reportOperations, reportReads } from '#server/reports/routes.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { ContentDeps, SiteDeps, SiteSettings } from '#server/site/index.ts'
import { siteManageOperations, siteManageReads } from '#server/site/manage-routes.ts'
import { siteOperations, siteReads } from '#server/site/routes.ts'
import { webhookOperations, webhookReads } from '#server/webhooks/manage-webhooks.ts'

export type PageReadDeps = SiteDeps & { config: Config } & BoxPageDeps &
  AttentionDeps &
  ReadinessDeps &
  OrderReadDeps &
  ContentDeps & {
    search: Search
    nextSlots: NextSlots
    site: SiteSettings
    secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  }

const operations = {
  ...siteOperations,
  ...siteManageOperations,
  ...catalogueOperations,
  ...boxOperations,
  ...profileOperations,
  ...emailChangeOperations,
  ...sessionOperations,
  ...passkeyOperations,
  ...userOperations,
  ...categoryOperations,
  ...productOperations,
  ...boxManageOperations,
  ...boxTradeOperations,
  ...orderOperations,
  ...managedOrderOperations,
  ...slotRuleOperations,
  ...couponOperations,
  ...staffOperations,
  ...complaintOperations,
  ...keyOperations,
  ...webhookOperations,
  ...backupOperations,
  ...deviceOperations,
  ...trackerOperations,
  ...mailOperations,
  ...supplierOperations,
  ...excursionOperations,
  ...attentionOperations,
  ...healthOperations,
  ...deskOperations,
  ...viewOperations,
  ...reportOperations,
  ...ledgerOperations,
}

/** What loaders may read, each with the handler that answers it over HTTP, too. One that is missing does not compile. */
const reads: { readonly [Id in keyof PageReads]: Read<(typeof operations)[Id], PageReadDeps> } = {
  ...siteReads,
  ...siteManageReads,
  ...catalogueReads,
  ...boxReads,
  ...profileReads,
  ...emailChangeReads,
  ...sessionReads,
  ...passkeyReads,
  ...userReads,
  ...categoryReads,
  ...productReads,
  ...boxManageReads,
  ...boxTradeReads,
  ...orderReads,
  ...managedOrderReads,
  ...slotRuleReads,
  ...couponReads,
  ...staffReads,
  ...complaintReads,
  ...keyReads,
  ...webhookReads,
  ...backupReads,
  ...deviceReads,
  ...trackerReads,
  ...mailReads,
  ...supplierReads,
  ...excursionReads,
  ...attentionReads,
  ...healthReads,
  ...deskReads,
  ...viewReads,
  ...reportReads,
  ...ledgerReads,
}

const byUrl = new Map<string, { route: Route; read: (deps: PageReadDeps, asked: never) => unknown }>(
  (Object.keys(reads) as (keyof PageReads)[]).map((id) => {
    const route = operations[id]
    return [route.url, { route, read: reads[id] }]
  }),
)

type Input = { params?: object; query?: object }

/**
 * The shop for a page that is rendered here for `principal`: the same operations as the browser's, with the same rules for
 * access, schemas of queries and handlers, without HTTP between.
 * @param signal aborts when nobody waits for the page any more
 */
export function readsOf(deps: PageReadDeps, principal: Principal, signal?: AbortSignal): ShopApi {
  const call = async ({ url }: Endpoint, { params, query = {} }: Input = {}): Promise<unknown> => {
    const found = byUrl.get(url)
    if (found === undefined) throw new Error(`Pages do not read ${url}`)
    const { route, read } = found
    authorize(route.access, principal)
    return read(deps, { params, query: route.query && parse(route.query, query), principal, signal } as never)
  }
  return call as ShopApi
}
