import type { Account } from '../../account.ts'
import type { ApiKeyView, NewApiKey } from '../../api-key.ts'
import type { DeskList, ExportFilter, ShownList } from '../../desk-views.ts'
import type { EmailPreview, SiteEmail } from '../../email-templates.ts'
import type { SiteInput, SitePart, SitePartRow, SiteText, SiteVersion } from '../../site-settings.ts'
import type { MadeWebhook, NewWebhook, WebhookView } from '../../webhook.ts'
import type { ListPlace, Paged } from '../box-api.ts'
import type {
  Customer,
  CustomerList,
  DeskView,
  DeskViewPatch,
  FishReport,
  FoundAtDesk,
  NewDeskView,
  OpeningView,
  SalesBy,
  SalesReport,
} from '../desk-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type {
  Attention,
  Change,
  FailedEmail,
  LedgerHealth,
  ListQuery,
  ManagedUser,
  ShopHealth,
} from '../manage-api.ts'
import type { OrderRow } from '../order-api.ts'
import type { ContentPage } from '../site-api.ts'
import type { DeskToday, Waiting } from '../today-api.ts'

export const readAttention = endpoint('GET', '/api/manage/attention', types<{ response: Attention[] }>)

export const readWaiting = endpoint('GET', '/api/manage/desk/waiting', types<{ response: Waiting }>)

export const readToday = endpoint('GET', '/api/manage/desk/today', types<{ response: DeskToday }>)

type FindAtDesk = { query: { q: string }; response: FoundAtDesk }

export const findAtDesk = endpoint('GET', '/api/manage/desk/found', types<FindAtDesk>)

type ListViews = { query: { list: DeskList }; response: { views: DeskView[] } }

export const listViews = endpoint('GET', '/api/manage/desk/view', types<ListViews>)
export const addView = endpoint(
  'POST',
  '/api/manage/desk/view',
  types<{ body: NewDeskView; response: DeskView }>,
)
export const changeView = endpoint(
  'PATCH',
  '/api/manage/desk/view/:id',
  types<{ body: DeskViewPatch; response: DeskView }>,
)
export const removeView = endpoint('DELETE', '/api/manage/desk/view/:id')
export const restoreView = endpoint(
  'POST',
  '/api/manage/desk/view/:id/restoration',
  types<{ response: DeskView }>,
)
export const openWithView = endpoint('PUT', '/api/manage/desk/opening', types<{ body: OpeningView }>)

type ExportList = { query: { list: ShownList; cols?: string } & ExportFilter }

export const exportList = endpoint('GET', '/api/manage/desk/export.csv', types<ExportList>)

type ReadSales = { query: { by?: SalesBy; from?: string; to?: string }; response: SalesReport }

export const readSales = endpoint('GET', '/api/manage/report/sales', types<ReadSales>)
export const exportSales = endpoint('GET', '/api/manage/report/sales/export', types<Pick<ReadSales, 'query'>>)

type ReadFish = { query: { by?: FishReport['by']; from?: string; to?: string }; response: FishReport }

export const readFish = endpoint('GET', '/api/manage/report/fish', types<ReadFish>)
export const exportFish = endpoint('GET', '/api/manage/report/fish/export', types<Pick<ReadFish, 'query'>>)

type ListCustomers = { query: { q?: string; after?: string }; response: CustomerList }

export const listCustomers = endpoint('GET', '/api/manage/customer', types<ListCustomers>)
export const readCustomer = endpoint('GET', '/api/manage/customer/:id', types<{ response: Customer }>)
export const listCustomerOrders = endpoint(
  'GET',
  '/api/manage/customer/:id/orders',
  types<{ query: ListPlace; response: Paged<OrderRow> }>,
)
export const mergeGuestOrders = endpoint(
  'POST',
  '/api/manage/customer/:id/guest-orders',
  types<{ response: { count: number } }>,
)
export const copyCustomerData = endpoint('GET', '/api/manage/customer/:id/data', types<{ response: object }>)
export const eraseCustomer = endpoint('DELETE', '/api/manage/customer/:id')

export const readShopHealth = endpoint('GET', '/api/manage/health', types<{ response: ShopHealth }>)
export const readLedgerHealth = endpoint('GET', '/api/chain/health', types<{ response: LedgerHealth }>)

type UpdateUser = {
  body: Partial<Pick<Account, 'fname' | 'lname' | 'role' | 'status'>>
  response: ManagedUser
}

export const listUsers = endpoint('GET', '/api/user/all', types<{ query: ListQuery; rows: ManagedUser }>)
export const updateUser = endpoint('PATCH', '/api/user/:id', types<UpdateUser>)
export const deleteUser = endpoint('DELETE', '/api/user/:id')

type MakeKey = { body: NewApiKey; response: ApiKeyView & { key: string } }

export const listKeys = endpoint('GET', '/api/key', types<{ response: ApiKeyView[] }>)
export const makeKey = endpoint('POST', '/api/key', types<MakeKey>)
export const revokeKey = endpoint('DELETE', '/api/key/:id')

export const listWebhooks = endpoint(
  'GET',
  '/api/manage/webhook',
  types<{ response: { webhooks: WebhookView[] } }>,
)
export const addWebhook = endpoint(
  'POST',
  '/api/manage/webhook',
  types<{ body: NewWebhook; response: MadeWebhook }>,
)
export const removeWebhook = endpoint('DELETE', '/api/manage/webhook/:id')
export const testWebhook = endpoint('POST', '/api/manage/webhook/:id/test')
export const resendWebhookMessage = endpoint('POST', '/api/manage/webhook/:id/message/:message')

type ListFailedEmails = { query: ListPlace; response: Paged<FailedEmail> }

export const listFailedEmails = endpoint('GET', '/api/manage/mail', types<ListFailedEmails>)
export const retryAllEmails = endpoint(
  'POST',
  '/api/manage/mail/again',
  types<{ response: { count: number } }>,
)
export const retryEmail = endpoint('POST', '/api/manage/mail/:id/again', types<{ response: FailedEmail }>)
export const discardEmail = endpoint('DELETE', '/api/manage/mail/:id')

type ReadHistory = {
  query: { entity: Change['entity']; id?: string } & Omit<ListPlace, 'size'>
  response: Paged<Change>
}

export const readHistory = endpoint('GET', '/api/history', types<ReadHistory>)

export const listSiteParts = endpoint('GET', '/api/manage/site', types<{ response: SitePartRow[] }>)
export const readSitePart = endpoint('GET', '/api/manage/site/:part', types<{ response: SitePart }>)
export const saveSitePart = endpoint(
  'PUT',
  '/api/manage/site',
  types<{ body: SiteInput; response: SitePart }>,
)
export const previewSiteText = endpoint(
  'POST',
  '/api/manage/site/preview',
  types<{ body: SiteText; response: ContentPage }>,
)
export const previewSiteEmail = endpoint(
  'POST',
  '/api/manage/site/email-preview',
  types<{ body: SiteEmail; response: EmailPreview }>,
)
export const listSiteVersions = endpoint(
  'GET',
  '/api/manage/site/:part/versions',
  types<{ query: { page?: number }; response: Paged<SiteVersion> }>,
)
export const restoreSitePart = endpoint(
  'POST',
  '/api/manage/site/:part/restoration',
  types<{ body: { to: number }; response: SitePart }>,
)
