import type { Paged } from '@befaqt/domain/api/box-api'
import type { CustomerList, FishReport, SalesReport } from '@befaqt/domain/api/desk-api'
import { listBackups } from '@befaqt/domain/api/endpoints/backups'
import { listTrade } from '@befaqt/domain/api/endpoints/box-page'
import { readBoxPage } from '@befaqt/domain/api/endpoints/boxes'
import { listDevices, listTrackers } from '@befaqt/domain/api/endpoints/devices'
import { listExcursions, readExcursion, readExcursionSettings } from '@befaqt/domain/api/endpoints/excursions'
import {
  listCustomerOrders,
  listCustomers,
  listFailedEmails,
  listKeys,
  listSiteParts,
  listUsers,
  listWebhooks,
  readAttention,
  readCustomer,
  readFish,
  readLedgerHealth,
  readSales,
  readShopHealth,
  readSitePart,
  readToday,
} from '@befaqt/domain/api/endpoints/manage'
import { listManagedBoxes, readManagedBox } from '@befaqt/domain/api/endpoints/managed-boxes'
import {
  listCategories,
  listLinkedPictures,
  listProducts,
} from '@befaqt/domain/api/endpoints/managed-catalogue'
import { listCoupons } from '@befaqt/domain/api/endpoints/managed-coupons'
import { listBoxComplaints, listBoxOrders, readBoxBalance } from '@befaqt/domain/api/endpoints/managed-orders'
import { readSite } from '@befaqt/domain/api/endpoints/shop'
import { listStaff } from '@befaqt/domain/api/endpoints/staff'
import { listSuppliers } from '@befaqt/domain/api/endpoints/suppliers'
import type { ExcursionRow, ExcursionState } from '@befaqt/domain/api/excursion-api'
import type { SupplierList } from '@befaqt/domain/api/field-api'
import type { FailedEmail, ManagedBox, ManagedCategory, ManagedUser } from '@befaqt/domain/api/manage-api'
import type { ShopApi } from '@befaqt/domain/api/shop-api'
import type { ApiKeyView } from '@befaqt/domain/api-key'
import type { BackupList } from '@befaqt/domain/backup'
import { ShopError } from '@befaqt/domain/errors'
import { placeIn } from '@befaqt/domain/list-place'
import { daysLater } from '@befaqt/domain/slot-rules'
import type { StaffList } from '@befaqt/domain/staff'
import type { TrackerView } from '@befaqt/domain/tracker'
import type { WebhookView } from '@befaqt/domain/webhook'
import type { LoaderFunctionArgs } from 'react-router'
import { shopApi } from '#web/api/part.ts'
import type { BoxFound } from '#web/features/manage/box/box-detail.tsx'
import type { BoxesFound } from '#web/features/manage/box/box-screen.tsx'
import type { CustomerFound } from '#web/features/manage/customer/customer-detail.tsx'
import type { DevicesFound } from '#web/features/manage/device/device-screen.tsx'
import type { ExcursionFound } from '#web/features/manage/excursion/excursion-detail.tsx'
import type { ExcursionsFound } from '#web/features/manage/excursion/excursion-screen.tsx'
import type { HealthFound } from '#web/features/manage/health-screen.tsx'
import type { OffersFound } from '#web/features/manage/offer/offer-screen.tsx'
import type { ProductsFound } from '#web/features/manage/product/product-screen.tsx'
import {
  isOfFish,
  productQuery,
  type Read,
  readFor,
  readManageQuery,
  readStage,
  reportQuery,
  TRADE_DAYS,
  tradeQuery,
} from '#web/features/manage/read.ts'
import type { SiteFound } from '#web/features/manage/site/site-screen.tsx'
import type { TodayFound } from '#web/features/manage/today/today-screen.tsx'
import type { TradeFound } from '#web/features/manage/trade/trade-screen.tsx'
import { orderData } from './manage-order-loaders.ts'
import { type Asked, onDesk, reads, withoutGone } from './reads.ts'

/** Devices and trackers of a page. */
const PAGE = 20

const today = reads(async ({ call }): Promise<TodayFound> => {
  const [attention, health, today] = await Promise.all([
    call(readAttention),
    call(readLedgerHealth),
    call(readToday),
  ])
  return { attention, health, today }
})

const categories = reads(
  ({ call, params }): Promise<Paged<ManagedCategory>> =>
    call(listCategories, { query: readManageQuery(params) }),
)

const users = reads(
  ({ call, params }): Promise<Paged<ManagedUser>> => call(listUsers, { query: readManageQuery(params) }),
)

const products = reads(async ({ call, params }): Promise<ProductsFound> => {
  const [products, categories, linked] = await Promise.all([
    call(listProducts, { query: productQuery(params) }),
    call(listCategories),
    call(listLinkedPictures),
  ])
  withoutGone('/manage/product', params, 'category', (id) => categories.some(({ _id }) => _id === id))
  return { products, categories: categories.map(({ _id, title }) => ({ _id, title })), linked }
})

/** The page of boxes that an address asks for. */
const listedBoxes = ({ call, params }: Pick<Asked, 'call' | 'params'>): Promise<Paged<ManagedBox>> => {
  const { q } = readManageQuery(params)
  const stage = readStage(params)
  return call(listManagedBoxes, { query: { ...placeIn(params), ...(q && { q }), ...(stage && { stage }) } })
}

const boxes = reads(async (asked): Promise<BoxesFound> => {
  const [boxes, health] = await Promise.all([listedBoxes(asked), asked.call(readLedgerHealth)])
  return { boxes, health }
})

export type OneBox = { boxID: string; found: Read<BoxFound> }

/** What is another's to see is left out of a page of one's own. */
function nullIfForbidden(error: unknown): null {
  if (error instanceof ShopError && error.code === 'auth.forbidden') return null
  throw error
}

/** A box that is not there is the error screen, whatever is in sight. */
async function box({ request, params, context }: LoaderFunctionArgs): Promise<OneBox> {
  const call = context.get(shopApi)
  const of = { params: { boxID: params.boxID ?? '' } }
  const managed = call(readManagedBox, of)
  const sold = Promise.all([call(readBoxBalance, of), call(listBoxOrders, of), call(listBoxComplaints, of)])
  const list = listedBoxes({ call, params: new URL(request.url).searchParams })
  const rest = Promise.all([call(readBoxPage, of), sold.catch(nullIfForbidden), list])
  rest.catch(() => undefined) // when the box itself is not there, nobody else asks
  const box = await managed
  const found = rest.then(([{ records: _, ...page }, sold, list]) => {
    if (sold === null) return { page, box, sold, list }
    const [balances, orders, complaints] = sold
    return { page, box, sold: { balances, orders, complaints }, list }
  })
  return { boxID: of.params.boxID, found: await readFor(request, found) }
}

/** A week to today at the market. */
async function lastDays(call: ShopApi): Promise<{ from: string; to: string }> {
  const { today } = await call(readSite)
  return { from: daysLater(today, 1 - TRADE_DAYS), to: today }
}

const trade = reads(async ({ call, params }): Promise<TradeFound> => {
  const choice = tradeQuery(params) ?? (await lastDays(call))
  return { choice, boxes: await call(listTrade, { query: { ...choice, ...placeIn(params) } }) }
})

export type Excursions = { one: Read<ExcursionFound> } | { list: Read<ExcursionsFound> }

const excursionStates: readonly ExcursionState[] = ['open', 'ended', 'closed', 'withdrawn']

const stateOf = (params: URLSearchParams): ExcursionState | undefined =>
  excursionStates.find((one) => one === params.get('state'))

/** The page of excursions that an address asks for. */
const excursionsAt = ({ call, params }: Asked): Promise<Paged<ExcursionRow>> => {
  const state = stateOf(params)
  return call(listExcursions, { query: { ...placeIn(params), ...(state && { state }) } })
}

const oneExcursion = reads(async (asked): Promise<ExcursionFound> => {
  const one = asked.call(readExcursion, { params: { id: asked.id } })
  const [excursion, list] = await Promise.all([one, excursionsAt(asked)])
  return { excursion, list }
})

const listedExcursions = reads(async (asked): Promise<ExcursionsFound> => {
  const [excursions, settings] = await Promise.all([excursionsAt(asked), asked.call(readExcursionSettings)])
  return { excursions, settings, state: stateOf(asked.params) ?? null }
})

/** The list, and below it one excursion by its id. */
const excursions = async (asked: LoaderFunctionArgs): Promise<Excursions> =>
  asked.params['*']
    ? { one: await oneExcursion.loader(asked) }
    : { list: await listedExcursions.loader(asked) }

const suppliers = reads(({ call }): Promise<SupplierList> => call(listSuppliers))

const devices = reads(async ({ call, params }): Promise<DevicesFound> => {
  const { q } = readManageQuery(params)
  const kind = (['valid', 'revoked'] as const).find((known) => known === params.get('kind'))
  const readAt = new Date().toISOString()
  const query = { ...placeIn(params), size: PAGE, ...(q && { q }), ...(kind && { kind }) }
  return { devices: await call(listDevices, { query }), readAt }
})

const trackers = reads(({ call, params }): Promise<Paged<TrackerView>> => {
  const { q } = readManageQuery(params)
  return call(listTrackers, { query: { ...placeIn(params), size: PAGE, ...(q && { q }) } })
})

const emails = reads(
  ({ call, params }): Promise<Paged<FailedEmail>> => call(listFailedEmails, { query: placeIn(params) }),
)

const offers = reads(async ({ call }): Promise<OffersFound> => {
  const [coupons, categories] = await Promise.all([call(listCoupons), call(listCategories)])
  return { coupons, categories: categories.map(({ _id, title }) => ({ _id, title })) }
})

const report = reads(({ call, params }): Promise<SalesReport | FishReport> => {
  const { by, category, range } = reportQuery(params)
  return isOfFish(by)
    ? call(readFish, { query: { by, ...range } })
    : call(readSales, { query: { by, ...(category && { category }), ...range } })
})

const customers = reads(({ call, params }): Promise<CustomerList> => {
  const { q } = readManageQuery(params)
  const after = params.get('after')?.slice(0, 200)
  return call(listCustomers, { query: { ...(q && { q }), ...(after && { after }) } })
})

const customer = reads(async ({ call, params, id }): Promise<CustomerFound> => {
  const of = { params: { id } }
  const [customer, orders] = await Promise.all([
    call(readCustomer, of),
    call(listCustomerOrders, { ...of, query: placeIn(params) }),
  ])
  return { customer, orders }
})

const site = reads(async ({ call, params }): Promise<SiteFound> => {
  const key = params.get('part')
  const [parts, part] = await Promise.all([
    call(listSiteParts),
    key === null ? null : call(readSitePart, { params: { part: key } }),
  ])
  return { parts, part }
})

const staff = reads(({ call }): Promise<StaffList> => call(listStaff))

const webhooks = reads(({ call }): Promise<{ webhooks: WebhookView[] }> => call(listWebhooks))

const health = reads(async ({ call }): Promise<HealthFound> => {
  const [shop, ledger] = await Promise.all([call(readShopHealth), call(readLedgerHealth)])
  return { shop, ledger }
})

const backups = reads(({ call }): Promise<BackupList> => call(listBackups))

const keys = reads(({ call }): Promise<ApiKeyView[]> => call(listKeys))

export const manageData = onDesk({
  ...orderData,
  manage: today,
  'manage.user': users,
  'manage.category': categories,
  'manage.product': products,
  'manage.box': boxes,
  'manage.box.$boxID': { loader: box },
  'manage.trade': trade,
  'manage.offer': offers,
  'manage.excursion': { loader: excursions },
  'manage.supplier': suppliers,
  'manage.device': devices,
  'manage.tracker': trackers,
  'manage.customer': customers,
  'manage.customer.$id': customer,
  'manage.report': report,
  'manage.site': site,
  'manage.staff': staff,
  'manage.mail': emails,
  'manage.key': keys,
  'manage.webhook': webhooks,
  'manage.health': health,
  'manage.backup': backups,
})
