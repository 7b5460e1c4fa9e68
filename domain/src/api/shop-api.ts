import type { CallEndpoint } from './endpoint.ts'
import type * as account from './endpoints/account.ts'
import type * as backups from './endpoints/backups.ts'
import type * as boxPage from './endpoints/box-page.ts'
import type * as boxes from './endpoints/boxes.ts'
import type * as devices from './endpoints/devices.ts'
import type * as excursions from './endpoints/excursions.ts'
import type * as manage from './endpoints/manage.ts'
import type * as managedBoxes from './endpoints/managed-boxes.ts'
import type * as managedCatalogue from './endpoints/managed-catalogue.ts'
import type * as managedCoupons from './endpoints/managed-coupons.ts'
import type * as managedOrders from './endpoints/managed-orders.ts'
import type * as orders from './endpoints/orders.ts'
import type * as shop from './endpoints/shop.ts'
import type * as staff from './endpoints/staff.ts'
import type * as suppliers from './endpoints/suppliers.ts'

/** What the loaders of pages may read, by operation id. */
export type PageReads = Pick<
  typeof shop,
  | 'readSite'
  | 'readViewer'
  | 'readContent'
  | 'listProductsOnSale'
  | 'listFreshestToday'
  | 'listRelated'
  | 'readCategoriesOnSale'
  | 'readCategoryByTitle'
  | 'readProduct'
> &
  Pick<typeof backups, 'listBackups'> &
  Pick<typeof boxes, 'listBoxes' | 'readBoxPage'> &
  Pick<typeof account, 'readProfile' | 'readEmailChange' | 'listSessions' | 'listPasskeys'> &
  Pick<
    typeof orders,
    | 'listSlots'
    | 'listNextSlots'
    | 'listOwnOrders'
    | 'listOwnWaiting'
    | 'readOrder'
    | 'readOrderBoxes'
    | 'readComplaints'
  > &
  Pick<
    typeof manage,
    | 'listUsers'
    | 'listKeys'
    | 'listWebhooks'
    | 'listFailedEmails'
    | 'readAttention'
    | 'readWaiting'
    | 'readToday'
    | 'listViews'
    | 'readSales'
    | 'readFish'
    | 'listCustomers'
    | 'readCustomer'
    | 'listCustomerOrders'
    | 'readLedgerHealth'
    | 'readShopHealth'
    | 'listSiteParts'
    | 'readSitePart'
  > &
  Pick<typeof managedCatalogue, 'listCategories' | 'listProducts' | 'listLinkedPictures'> &
  Pick<typeof managedBoxes, 'listManagedBoxes' | 'readManagedBox'> &
  Pick<typeof boxPage, 'listTrade'> &
  Pick<
    typeof managedOrders,
    | 'listOrders'
    | 'listWaitingOrders'
    | 'listAllSlots'
    | 'listBoxOrders'
    | 'readBoxBalance'
    | 'readOrderDay'
    | 'readManagedOrder'
    | 'readSlotSheet'
    | 'readSlotPlan'
    | 'listComplaints'
    | 'listOrderComplaints'
    | 'listBoxComplaints'
  > &
  Pick<typeof managedCoupons, 'listCoupons'> &
  Pick<typeof devices, 'listDevices' | 'listTrackers'> &
  Pick<typeof excursions, 'listExcursions' | 'readExcursion' | 'readExcursionSettings'> &
  Pick<typeof staff, 'listStaff'> &
  Pick<typeof suppliers, 'listSuppliers'>

/**
 * The caller that loaders are given: in the browser one that fetches, on the server one that calls the actions, so that
 * a page's loader is written once.
 */
export type ShopApi = CallEndpoint<PageReads[keyof PageReads]>
