import type { CallEndpoint } from './endpoint.ts'
import type * as attention from './endpoints/attention.ts'
import type * as boxTrade from './endpoints/box-trade.ts'
import type * as boxes from './endpoints/boxes.ts'
import type * as catalogue from './endpoints/catalogue.ts'
import type * as categories from './endpoints/categories.ts'
import type * as devices from './endpoints/devices.ts'
import type * as excursions from './endpoints/excursions.ts'
import type * as keys from './endpoints/keys.ts'
import type * as ledger from './endpoints/ledger.ts'
import type * as mail from './endpoints/mail.ts'
import type * as managedBoxes from './endpoints/managed-boxes.ts'
import type * as managedOrders from './endpoints/managed-orders.ts'
import type * as orders from './endpoints/orders.ts'
import type * as passkeys from './endpoints/passkeys.ts'
import type * as products from './endpoints/products.ts'
import type * as profile from './endpoints/profile.ts'
import type * as sessions from './endpoints/sessions.ts'
import type * as site from './endpoints/site.ts'
import type * as slotRules from './endpoints/slot-rules.ts'
import type * as suppliers from './endpoints/suppliers.ts'
import type * as trackers from './endpoints/trackers.ts'
import type * as users from './endpoints/users.ts'

/** What the loaders of pages may read, by operation id. */
export type PageReads = Pick<typeof site, 'readSite' | 'readViewer' | 'readContent'> &
  Pick<
    typeof catalogue,
    | 'listProductsOnSale'
    | 'listFreshestToday'
    | 'readCategoriesOnSale'
    | 'readCategoryByTitle'
    | 'readProduct'
  > &
  Pick<typeof boxes, 'listBoxes' | 'readBoxPage'> &
  Pick<typeof profile, 'readProfile'> &
  Pick<typeof sessions, 'listSessions'> &
  Pick<typeof passkeys, 'listPasskeys'> &
  Pick<typeof users, 'listUsers'> &
  Pick<typeof categories, 'listCategories'> &
  Pick<typeof products, 'listProducts'> &
  Pick<typeof managedBoxes, 'listManagedBoxes' | 'readManagedBox'> &
  Pick<typeof boxTrade, 'listTrade'> &
  Pick<
    typeof orders,
    'listSlots' | 'listNextSlots' | 'listOwnOrders' | 'listOwnWaiting' | 'readOrder' | 'readOrderBoxes'
  > &
  Pick<typeof slotRules, 'readSlotPlan'> &
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
  > &
  Pick<typeof keys, 'listKeys'> &
  Pick<typeof devices, 'listDevices'> &
  Pick<typeof trackers, 'listTrackers'> &
  Pick<typeof mail, 'listFailedEmails'> &
  Pick<typeof excursions, 'listExcursions' | 'readExcursion' | 'readExcursionSettings'> &
  Pick<typeof suppliers, 'listSuppliers'> &
  typeof attention &
  typeof ledger

/**
 * The caller that loaders are given: in the browser one that fetches, on the server one that calls the actions, so that
 * a page's loader is written once.
 */
export type ShopApi = CallEndpoint<PageReads[keyof PageReads]>
