import type { Endpoint } from '@befaqt/domain/api/endpoint'
import type { PageReads, ShopApi } from '@befaqt/domain/api/shop-api'
import type { ContentPage } from '@befaqt/domain/api/site-api'
import { listApiKeys } from '#server/accounts/keys/api-keys.ts'
import { keyOperations } from '#server/accounts/keys/routes.ts'
import { allUsers, listUsers } from '#server/accounts/managing/list-users.ts'
import { userOperations } from '#server/accounts/managing/routes.ts'
import { listPasskeys } from '#server/accounts/passkeys/passkeys.ts'
import { passkeyOperations } from '#server/accounts/passkeys/routes.ts'
import { readProfile } from '#server/accounts/profile/profile.ts'
import { profileOperations } from '#server/accounts/profile/routes.ts'
import { sessionOperations } from '#server/accounts/sessions/routes.ts'
import { listSessions } from '#server/accounts/sessions/sessions.ts'
import { ledgerHealth } from '#server/anchoring/chain-health.ts'
import { ledgerOperations } from '#server/anchoring/routes.ts'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { type BoxPageDeps, boxPage } from '#server/boxes/box-page.ts'
import { listTrade } from '#server/boxes/epcis/list-trade.ts'
import { boxTradeOperations } from '#server/boxes/epcis/routes.ts'
import { searchBoxes } from '#server/boxes/list-boxes.ts'
import { searchManagedBoxes } from '#server/boxes/managing/list-managed-boxes.ts'
import { managedBox } from '#server/boxes/managing/managed-box.ts'
import { boxManageOperations } from '#server/boxes/managing/routes.ts'
import { boxOperations } from '#server/boxes/routes.ts'
import { allCategories, listCategories } from '#server/catalogue/categories/list-categories.ts'
import { categoryOperations } from '#server/catalogue/categories/routes.ts'
import { allProducts, listProducts } from '#server/catalogue/products/list-products.ts'
import { productOperations } from '#server/catalogue/products/routes.ts'
import { catalogueOperations } from '#server/catalogue/routes.ts'
import { freshestCards, productWindow } from '#server/catalogue/shelf.ts'
import { listDevices } from '#server/devices/read-devices.ts'
import { deviceOperations } from '#server/devices/routes.ts'
import { listTrackers } from '#server/devices/trackers/read-trackers.ts'
import { trackerOperations } from '#server/devices/trackers/routes.ts'
import { listExcursions, readExcursion } from '#server/excursions/excursions.ts'
import { excursionOperations } from '#server/excursions/routes.ts'
import { readSettings } from '#server/excursions/settings.ts'
import { supplierOperations } from '#server/field/supplier-routes.ts'
import { listSuppliers } from '#server/field/suppliers.ts'
import { parse } from '#server/http/errors.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { hasFilters, pageOf } from '#server/http/list-query.ts'
import type { ResponseOf, Route, RouteContext } from '#server/http/route.ts'
import { authorize } from '#server/identity/access.ts'
import { allowedBoxes, type Principal, requireUser, viewerOf } from '#server/identity/principal.ts'
import { listFailedEmails } from '#server/mail/failed-emails.ts'
import { mailOperations } from '#server/mail/routes.ts'
import { type AttentionDeps, attention, attentionOperations } from '#server/ops/attention.ts'
import { boxBalance, boxOrders } from '#server/orders/box-sales.ts'
import { readOrderBoxes } from '#server/orders/boxes-at-sale.ts'
import { searchOrders } from '#server/orders/managing/list-orders.ts'
import { managedSlots } from '#server/orders/managing/manage-slots.ts'
import { managedOrder, slotSheet } from '#server/orders/managing/managed-order.ts'
import { orderDay } from '#server/orders/managing/order-day.ts'
import { managedOrderOperations } from '#server/orders/managing/routes.ts'
import type { NextSlots } from '#server/orders/next-slots.ts'
import { type OrderReadDeps, ownOrders, readOrder } from '#server/orders/read-orders.ts'
import { orderOperations } from '#server/orders/routes.ts'
import { slotRuleOperations } from '#server/orders/slot-rules/routes.ts'
import { slotPlan } from '#server/orders/slot-rules/rules.ts'
import { openSlots } from '#server/orders/slots.ts'
import { listWaiting, ownWaiting } from '#server/orders/waiting/waiting-order.ts'
import { contentPage } from '#server/site/content.ts'
import { siteOperations } from '#server/site/routes.ts'
import { type SiteDeps, siteView } from '#server/site/site-view.ts'

export type ShopApiDeps = SiteDeps &
  BoxPageDeps &
  AttentionDeps &
  OrderReadDeps & { search: Search; nextSlots: NextSlots; content: ReadonlyMap<string, ContentPage> }

const definitions = {
  ...siteOperations,
  ...catalogueOperations,
  ...boxOperations,
  ...profileOperations,
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
  ...keyOperations,
  ...deviceOperations,
  ...trackerOperations,
  ...mailOperations,
  ...supplierOperations,
  ...excursionOperations,
  ...attentionOperations,
  ...ledgerOperations,
}
type Definitions = typeof definitions

/** Answers what the handlers of these routes answer over HTTP, without a request. */
type Readers = {
  [Id in keyof PageReads]: (
    call: Pick<RouteContext<Definitions[Id]>, 'params' | 'query'>,
  ) => Promise<ResponseOf<Definitions[Id]['responses']>>
}

function readers(deps: ShopApiDeps, principal: Principal, signal: AbortSignal | undefined): Readers {
  const { db, now, catalogue } = deps
  const userId = () => requireUser(principal).userId
  return {
    readSite: async () => siteView(deps),
    readViewer: async () => viewerOf(principal),
    readContent: async ({ params }) => contentPage(deps.content, params['*']),
    listFreshestToday: () => freshestCards(deps),
    listProductsOnSale: ({ query }) => productWindow(deps, query),
    readCategoriesOnSale: async () => [...(await catalogue.snapshot()).categories],
    readCategoryByTitle: async ({ params }) => (await catalogue.snapshot()).categoryByTitle(params.catTitle),
    readProduct: async ({ params }) => (await catalogue.snapshot()).product(params.id),
    listBoxes: ({ query }) => searchBoxes(deps, query, signal),
    readBoxPage: ({ params }) => boxPage(deps, boxIDOf(params)),
    readProfile: async () => readProfile(db, userId()),
    listSessions: async () => listSessions(db, userId(), requireUser(principal).sessionId, now()),
    listPasskeys: async () => listPasskeys(db, userId()),
    listUsers: ({ query }) => (hasFilters(query) ? listUsers(db, query) : allUsers(db)),
    listCategories: ({ query }) => (hasFilters(query) ? listCategories(db, query) : allCategories(db)),
    listProducts: ({ query }) =>
      hasFilters(query) ? listProducts(db, query, principal) : allProducts(db, principal),
    listManagedBoxes: ({ query }) => searchManagedBoxes(deps, query, allowedBoxes(principal), signal),
    readManagedBox: async ({ params }) => managedBox(db, boxIDOf(params, principal)),
    listTrade: ({ query }) => listTrade(deps, principal, query),
    listSlots: ({ query }) => openSlots(db, query),
    listNextSlots: async () => [...(await deps.nextSlots.open(now()))],
    listOwnOrders: ({ query }) => ownOrders(db, userId(), pageOf(query)),
    listOwnWaiting: () => ownWaiting(db, userId()),
    readOrder: ({ params, query }) => readOrder(deps, principal, params.id, query.key),
    readOrderBoxes: ({ params, query }) => readOrderBoxes(deps, principal, params.id, query.key),
    listWaitingOrders: ({ query }) => listWaiting(db, pageOf(query)),
    listOrders: ({ query }) => searchOrders(deps, principal, query, pageOf(query), signal),
    listAllSlots: ({ query }) => managedSlots(db, query, pageOf(query)),
    readOrderDay: ({ query }) => orderDay(deps, principal, query.day),
    readManagedOrder: ({ params }) => managedOrder(db, principal, params.id),
    readSlotSheet: ({ params }) => slotSheet(db, principal, params.id),
    readSlotPlan: () => slotPlan(deps),
    listBoxOrders: ({ params }) => boxOrders(db, boxIDOf(params, principal), principal),
    readBoxBalance: ({ params }) => boxBalance(db, boxIDOf(params, principal)),
    listKeys: () => listApiKeys(db),
    listDevices: ({ query }) => listDevices(db, query),
    listTrackers: ({ query }) => listTrackers(db, query, now()),
    listFailedEmails: ({ query }) => listFailedEmails(db, query, now()),
    listExcursions: ({ query }) => listExcursions(db, { state: query.state, ...pageOf(query) }),
    readExcursion: ({ params }) => readExcursion(deps, params.id),
    readExcursionSettings: () => readSettings(db),
    listSuppliers: () => listSuppliers(deps),
    readAttention: () => attention(deps),
    readLedgerHealth: () => ledgerHealth(deps),
  }
}

const byUrl = new Map<string, Route>(
  Object.values(definitions).flatMap((route) => (route.method === 'GET' ? [[route.url, route]] : [])),
)

type Input = { params?: object; query?: object }

/**
 * The shop for a page that is rendered here for `principal`: the same routes as the browser's, with the same rules for
 * access and schemas of queries, without HTTP between.
 * @param signal aborts when nobody waits for the page any more
 */
export function inProcessApi(deps: ShopApiDeps, principal: Principal, signal?: AbortSignal): ShopApi {
  const all: Readonly<Record<string, (call: never) => Promise<unknown>>> = readers(deps, principal, signal)
  const read = async ({ url }: Endpoint, { params, query = {} }: Input = {}): Promise<unknown> => {
    const route = byUrl.get(url)
    const reader = route && all[route.id]
    if (!reader) throw new Error(`Pages do not read ${url}`)
    authorize(route.access, principal)
    return reader({ params, query: route.query && parse(route.query, query) } as never)
  }
  return read as ShopApi
}
